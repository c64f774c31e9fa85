import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scanRule } from '../../../../main/watch/scan/scan-rule.ts';
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
        .map(({ path, why, actions }) => [path, why, actions])
        .sort(),
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
    await rm(join(fixture.incoming, 'to nothing'));
    await vi.waitFor(() => expect(fixture.watch.rules()[0]?.counts.leftAlone).toBe(3), { timeout: 20_000 });
  });
});

describe('scanRule()', () => {
  let folder: WatchedFolder;
  beforeEach(async () => {
    folder = await createWatchedFolder();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  it('lists links outside sources under every kind of rule unless its ignore lines exclude them', async () => {
    await folder.put('2026/11/a.tif', 'b/c.txt');
    for (const name of ['2026/x', '2026/11/y', 'b/z', 'w.lnk'])
      await symlink('/no/such/thing', join(folder.path, name));
    const scan = async (changes: Parameters<typeof folder.rule>[0]) => {
      const { sources, leftAlone } = await scanRule(folder.rule(changes), { isMeant: () => true });
      return [
        leftAlone.map(({ path, why }) => `${path} ${why}`).sort(),
        sources.map(({ links }) => links ?? 0),
      ];
    };
    expect(await scan({ unit: { kind: 'files', patterns: ['*.tif'] } })).toEqual([
      ['2026/11/y link', '2026/x link', 'b/z link', 'w.lnk link'],
      [0],
    ]);
    expect(await scan({ unit: { kind: 'folders', depth: 2, patterns: [] }, ignore: ['z'] })).toEqual([
      ['2026/x link', 'w.lnk link'],
      [1],
    ]);
    expect(await scan({ unit: { kind: 'whole-folder' } })).toEqual([[], [4]]);
  });
});
