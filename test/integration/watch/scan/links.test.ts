import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Links } from '../../../../main/watch/scan/links.ts';
import { type RuleScanOptions, scanAround, scanRule } from '../../../../main/watch/scan/scan-rule.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { saidLines, saidSource } from '../../../said.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('links in a watched folder', () => {
  let fixture: WatchFixture;
  beforeEach(async () => {
    fixture = await openWatchFixture();
  });
  afterEach(() => fixture.close());

  it('reports links without following them: in the list, at the source and in its receipt', async () => {
    const outside = join(fixture.folder, 'outside');
    await mkdir(outside);
    await fixture.write({ 'flight/a.jpg': jpeg('a'), '../outside/secret.jpg': jpeg('secret') });
    const links = {
      'to a file': join(outside, 'secret.jpg'),
      'to a folder': outside,
      'to nothing': join(outside, 'no such thing'),
      'within.jpg': join(fixture.incoming, 'flight', 'a.jpg'),
      'flight/b.jpg': join(outside, 'secret.jpg'),
      'flight/more': outside,
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, join(fixture.incoming, name));
    const rule = await fixture.rule();
    await fixture.untilComplete(rule, 'flight');
    await vi.waitFor(() => expect(fixture.watch.rules()[0]?.counts.leftAlone).toBe(4));
    const sources = fixture.watch.sources(rule.id).map(saidSource);
    expect(
      sources
        .filter(({ state }) => state === 'left-alone')
        .map(({ path, why, actions }) => [path, why, actions]),
    ).toEqual([
      ['to a file', 'A link, which Tilelift doesn’t follow', []],
      ['to a folder', 'A link, which Tilelift doesn’t follow', []],
      ['to nothing', 'A link, which Tilelift doesn’t follow', []],
      ['within.jpg', 'A link, which Tilelift doesn’t follow', []],
    ]);
    expect(sources.find(({ path }) => path === 'flight')?.links).toBe(2);
    const [receipt] = fixture.watch.receipts(rule.id);
    expect(receipt).toMatchObject({ source: 'flight', links: 2, files: [{ key: 'a.jpg' }] });
    expect(fixture.statuses()).toEqual(['flight COMPLETE']);
    const job = fixture.jobs.list()[0];
    expect(saidLines(fixture.jobs.history(job?.id ?? '')).map(({ text }) => plain(text))).toContain(
      'Found 1 file, 9 bytes; 2 links were not followed',
    );
  });
});

describe('Links', () => {
  let folder: WatchedFolder;
  let list: Links;
  beforeEach(async () => {
    folder = await createWatchedFolder();
    list = new Links();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const options: RuleScanOptions = { isMeant: () => false };
  const link = (...names: readonly string[]) =>
    Promise.all(names.map((name) => symlink('/no/such/thing', join(folder.path, name))));
  const shown = () =>
    [...list.snapshots('rule')].map(saidSource).map(({ path, why }) => plain(`${path}: ${why}`));

  async function runScan(rule = folder.rule()) {
    list.record((await scanRule(rule, options)).links, 0);
    return shown();
  }

  async function rescan(name: string, rule = folder.rule()) {
    const path = join(folder.path, name);
    list.record((await scanAround(rule, [path], options)).links, 0);
    return shown();
  }

  it('lists links under every kind of rule unless its ignore lines exclude them', async () => {
    await folder.put('2026/11/a.tif', 'b/c.txt');
    await link('2026/x', '2026/11/y', 'b/z', 'w.lnk');
    const reported = ['2026/11/y', '2026/x', 'b/z', 'w.lnk'].map(
      (path) => `${path}: A link, which Tilelift doesn’t follow`,
    );
    expect((await runScan(folder.rule({ unit: { kind: 'files', patterns: ['*.tif'] } }))).sort()).toEqual(
      reported,
    );
    // Links inside a source are counted there.
    const rule = folder.rule({ unit: { kind: 'folders', depth: 2, patterns: [] }, ignore: ['z'] });
    expect((await runScan(rule)).sort()).toEqual([reported[1], reported[3]]);
    expect(list.countIn('2026/11')).toBe(1);
    expect(await runScan(folder.rule({ unit: { kind: 'whole-folder' } }))).toEqual([]);
    expect(list.countIn('.')).toBe(4);
  });

  it('drops removed links, whichever scan detects it', async () => {
    await mkdir(join(folder.path, 'only'));
    await link('a', 'only/b', 'only/c');
    expect(await runScan()).toHaveLength(3);
    await rm(join(folder.path, 'a'));
    expect(await rescan('a')).toHaveLength(2);
    await rm(join(folder.path, 'only'), { recursive: true });
    expect(await rescan('only')).toEqual([]);
    await link('d');
    expect(await rescan('d')).toHaveLength(1);
    list.clear();
    expect([shown(), list.besideSources]).toEqual([[], 0]);
  });

  it('summarizes thousands of links in one line with a few examples', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `link-${String(index).padStart(4, '0')}`);
    await link(...names);
    expect(await runScan()).toEqual([
      '*: 3,000 links, which Tilelift doesn’t follow: link-0000, link-0001, link-0002 and others',
    ]);
    expect(list.besideSources).toBe(3_000);
  });

  it('lists the first folders with links line by line and summarizes the rest', async () => {
    for (let index = 0; index < 60; index++) {
      await mkdir(join(folder.path, `f${index}`));
      await link(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `f${index}/${name}`));
    }
    const lines = await runScan();
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe('f0/*: 6 links, which Tilelift doesn’t follow: a, b, c and others');
    expect(lines.at(-1)).toBe('…: 240 more links in 40 folders');
    expect(list.besideSources).toBe(360);
  });
});
