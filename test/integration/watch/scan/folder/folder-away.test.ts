import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jpeg } from '../../../../deliveries/data.ts';
import { openWatchFixture, type WatchFixture } from '../../fixture.ts';

let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture();
});
afterEach(() => fixture.close());

const untilState = (state: string) =>
  expect.poll(() => fixture.watch.rules()[0]?.state, { timeout: 20_000 }).toBe(state);
const away = () => `${fixture.incoming}-away`;

describe('a missing watched folder', () => {
  it('suspends a rule after a start until its folder exists', async () => {
    const rule = await fixture.rule();
    await fixture.stop();
    await rename(fixture.incoming, away());
    await fixture.restart();
    await untilState('suspended');
    expect(fixture.watch.rules()[0]?.notice?.code).toBe('watch-folder-missing');
    await mkdir(join(away(), 'Kai'));
    await writeFile(join(away(), 'Kai', 'a.jpg'), jpeg());
    await rename(away(), fixture.incoming);
    await fixture.untilComplete(rule, 'Kai');
  });

  it('finishes jobs while the folder is missing and moves their sources when it returns', async () => {
    const rule = await fixture.rule({ afterSuccess: { kind: 'move', folder: 'done' } });
    fixture.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete' },
      action: { kind: 'hold' },
    });
    await fixture.write({ 'Kai/a.jpg': 100 });
    await fixture.untilSource(rule, 'Kai', ({ why }) => why === 'Finishing');
    await rename(fixture.incoming, away());
    await untilState('suspended');
    fixture.service.control.clearFaults();
    await fixture.untilComplete(rule, 'Kai');
    await rename(away(), fixture.incoming);
    await fixture.untilSource(rule, 'Kai', ({ movedTo }) => movedTo !== undefined);
    expect(await readdir(fixture.incoming)).toEqual(['done']);
    expect([...fixture.watch.receipts(rule.id)]).toHaveLength(1);
  });

  it('delays the end of a job until its mark can be written, then records it once', async () => {
    const rule = await fixture.rule({ shared: true });
    fixture.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete' },
      action: { kind: 'hold' },
    });
    await fixture.write({ 'Kai/a.jpg': 100 });
    const { jobId } = await fixture.untilSource(rule, 'Kai', ({ why }) => why === 'Finishing');
    await rename(fixture.incoming, away());
    await untilState('suspended');
    fixture.service.control.clearFaults();
    await expect.poll(() => fixture.jobs.get(jobId ?? '')?.status).toBe('complete');
    await expect.poll(() => [...fixture.watch.receipts(rule.id)]).toHaveLength(1);
    expect(fixture.watch.sources(rule.id)[0]?.state).toBe('under-way');
    await rename(away(), fixture.incoming);
    await fixture.untilComplete(rule, 'Kai');
    expect([...fixture.watch.receipts(rule.id)]).toHaveLength(1);
  });
});

describe('a watched folder that is replaced by another', () => {
  it('continues with a folder that replaced another and picks up nothing of the old one', async () => {
    const rule = await fixture.rule({ settleSeconds: 2 });
    await fixture.write({ 'Old/a.jpg': 100 });
    await fixture.untilSource(rule, 'Old', ({ state }) => state === 'settling');
    await mkdir(join(away(), 'New'), { recursive: true });
    await writeFile(join(away(), 'New', 'a.jpg'), jpeg());
    await rename(fixture.incoming, join(fixture.folder, 'gone'));
    await rename(away(), fixture.incoming);
    await fixture.untilComplete(rule, 'New');
    await fixture.write({ 'Later/a.jpg': 100 });
    await fixture.untilComplete(rule, 'Later');
    expect(fixture.statuses()).toEqual(['New COMPLETE', 'Later COMPLETE']);
  });
});

describe('a mount point whose drive is gone', () => {
  it('treats a mount point without its drive as missing and changes nothing below it', async ({ skip }) => {
    const mount = (...args: string[]) => execFileSync(args[0] ?? '', args.slice(1), { stdio: 'ignore' });
    try {
      mount('mount', '-t', 'tmpfs', 'tmpfs', fixture.incoming);
    } catch {
      skip('only root may mount a drive, and not in every container');
    }
    try {
      const rule = await fixture.rule();
      await fixture.write({ 'Kai/a.jpg': 100 });
      await fixture.untilComplete(rule, 'Kai');
      mount('umount', '-l', fixture.incoming);
      await untilState('suspended');
      expect(await readdir(fixture.incoming)).toEqual([]);
      mount('mount', '-t', 'tmpfs', 'tmpfs', fixture.incoming);
      await fixture.write({ 'Back/a.jpg': 100 });
      await fixture.untilComplete(rule, 'Back');
      expect(fixture.statuses()).toEqual(['Kai COMPLETE', 'Back COMPLETE']);
    } finally {
      await fixture.stop();
      mount('umount', '-l', fixture.incoming);
    }
  });
});
