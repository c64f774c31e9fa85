import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jpeg } from '../../../../deliveries/data.ts';
import { openWatchHouse, type WatchHouse } from '../../house.ts';

let house: WatchHouse;
beforeEach(async () => {
  house = await openWatchHouse();
});
afterEach(() => house.close());

const untilState = (state: string) =>
  expect.poll(() => house.watch.rules()[0]?.state, { timeout: 20_000 }).toBe(state);
const away = () => `${house.incoming}-away`;

describe('a missing watched folder', () => {
  it('suspends a rule after a start until its folder exists', async () => {
    const rule = await house.rule();
    await house.stop();
    await rename(house.incoming, away());
    await house.restart();
    await untilState('suspended');
    expect(house.watch.rules()[0]?.notice?.code).toBe('watch-folder-missing');
    await mkdir(join(away(), 'Kai'));
    await writeFile(join(away(), 'Kai', 'a.jpg'), jpeg());
    await rename(away(), house.incoming);
    await house.untilComplete(rule, 'Kai');
  });

  it('finishes jobs while the folder is missing and moves their sources when it returns', async () => {
    const rule = await house.rule({ afterSuccess: { kind: 'move', folder: 'done' } });
    house.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete' },
      action: { kind: 'hold' },
    });
    await house.write({ 'Kai/a.jpg': 100 });
    await house.untilSource(rule, 'Kai', ({ why }) => why === 'Completing');
    await rename(house.incoming, away());
    await untilState('suspended');
    house.service.control.clearFaults();
    await house.untilComplete(rule, 'Kai');
    await rename(away(), house.incoming);
    await house.untilSource(rule, 'Kai', ({ movedTo }) => movedTo !== undefined);
    expect(await readdir(house.incoming)).toEqual(['done']);
    expect([...house.watch.receipts(rule.id)]).toHaveLength(1);
  });

  it('delays the end of a job until its mark can be written, then records it once', async () => {
    const rule = await house.rule({ shared: true });
    house.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete' },
      action: { kind: 'hold' },
    });
    await house.write({ 'Kai/a.jpg': 100 });
    const { jobId } = await house.untilSource(rule, 'Kai', ({ why }) => why === 'Completing');
    await rename(house.incoming, away());
    await untilState('suspended');
    house.service.control.clearFaults();
    await expect.poll(() => house.jobs.get(jobId ?? '')?.status).toBe('complete');
    await expect.poll(() => [...house.watch.receipts(rule.id)]).toHaveLength(1);
    expect(house.watch.sources(rule.id)[0]?.state).toBe('under-way');
    await rename(away(), house.incoming);
    await house.untilComplete(rule, 'Kai');
    expect([...house.watch.receipts(rule.id)]).toHaveLength(1);
  });
});

describe('a watched folder that is replaced by another', () => {
  it('continues with a folder that replaced another and picks up nothing of the old one', async () => {
    const rule = await house.rule({ settleSeconds: 2 });
    await house.write({ 'Old/a.jpg': 100 });
    await house.untilSource(rule, 'Old', ({ state }) => state === 'settling');
    await mkdir(join(away(), 'New'), { recursive: true });
    await writeFile(join(away(), 'New', 'a.jpg'), jpeg());
    await rename(house.incoming, join(house.folder, 'gone'));
    await rename(away(), house.incoming);
    await house.untilComplete(rule, 'New');
    await house.write({ 'Later/a.jpg': 100 });
    await house.untilComplete(rule, 'Later');
    expect(house.statuses()).toEqual(['New COMPLETE', 'Later COMPLETE']);
  });
});

describe('a mount point whose drive is gone', () => {
  it('treats a mount point without its drive as missing and changes nothing below it', async ({ skip }) => {
    const mount = (...args: string[]) => execFileSync(args[0] ?? '', args.slice(1), { stdio: 'ignore' });
    try {
      mount('mount', '-t', 'tmpfs', 'tmpfs', house.incoming);
    } catch {
      skip('only root may mount a drive, and not in every container');
    }
    try {
      const rule = await house.rule();
      await house.write({ 'Kai/a.jpg': 100 });
      await house.untilComplete(rule, 'Kai');
      mount('umount', '-l', house.incoming);
      await untilState('suspended');
      expect(await readdir(house.incoming)).toEqual([]);
      mount('mount', '-t', 'tmpfs', 'tmpfs', house.incoming);
      await house.write({ 'Back/a.jpg': 100 });
      await house.untilComplete(rule, 'Back');
      expect(house.statuses()).toEqual(['Kai COMPLETE', 'Back COMPLETE']);
    } finally {
      await house.stop();
      mount('umount', '-l', house.incoming);
    }
  });
});
