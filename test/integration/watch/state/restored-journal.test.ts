import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { tiff } from '../../../deliveries/data.ts';
import { saidLines } from '../../../said.ts';
import { type FixtureOptions, openWatchFixture, type WatchFixture } from '../fixture.ts';
import { openAges } from './aging-process.ts';

const patience = { timeout: 30_000, interval: 20 };

async function open(options: FixtureOptions = {}): Promise<WatchFixture> {
  const fixture = await openWatchFixture(options);
  onTestFinished(() => fixture.close());
  return fixture;
}

/** Lists the journal and the files next to it. */
const userData = async (fixture: WatchFixture) =>
  (await readdir(fixture.folder)).filter((name) => name.startsWith('journal'));

/** Copies the user data while Tilelift is not running. */
async function backUp(fixture: WatchFixture): Promise<string> {
  const backup = join(fixture.folder, 'backup');
  for (const name of await userData(fixture)) await cp(join(fixture.folder, name), join(backup, name));
  return backup;
}

/** Restores all user data as a snapshot does, or only the journal as after its loss. */
async function putBack(fixture: WatchFixture, backup: string, what: 'all' | 'journal'): Promise<void> {
  const isMeant = (name: string) => what === 'all' || name.startsWith('journal.db');
  for (const name of await userData(fixture)) if (isMeant(name)) await rm(join(fixture.folder, name));
  for (const name of await readdir(backup))
    if (isMeant(name)) await cp(join(backup, name), join(fixture.folder, name));
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-ages-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a stopped fixture: Kai was complete before the restored backup, Ufer only after it. */
async function withBackupPutBack(
  what: 'all' | 'journal',
  options: FixtureOptions = {},
  change: Partial<WatchRule> = {},
) {
  const fixture = await open(options);
  const rule = await fixture.rule(change);
  await fixture.write({ 'Kai/a.jpg': 10 });
  await fixture.untilComplete(rule, 'Kai');
  await fixture.stop();
  const backup = await backUp(fixture);
  await fixture.restart();
  await fixture.write({ 'Ufer/a.jpg': 11 });
  await fixture.untilComplete(rule, 'Ufer');
  await fixture.restart();
  await fixture.stop();
  await putBack(fixture, backup, what);
  return { fixture, rule };
}

const alarms = (fixture: WatchFixture, rule: WatchRule) =>
  saidLines(fixture.watch.activity(rule.id)).filter(({ text }) =>
    text.includes('A backup of Tilelift’s data was restored'),
  );

it('creates no second asset after a restore from a source that resembles a removed one', async () => {
  const fixture = await open();
  const rule = await fixture.rule({ unit: { kind: 'files', patterns: ['*.tif'] } });
  // Tiles of one archive share their size and time.
  const tile = async (name: string) => {
    const beside = join(fixture.folder, name);
    await writeFile(beside, tiff(`${name} `.padEnd(5_000, '.')));
    await utimes(beside, 1_700_000_000, 1_700_000_000);
    await rename(beside, join(fixture.incoming, name));
    await fixture.untilComplete(rule, name);
  };
  await tile('a.tif');
  await fixture.stop();
  const backup = await backUp(fixture);
  await fixture.restart();
  await rm(join(fixture.incoming, 'a.tif'));
  await tile('b.tif');
  await fixture.stop();
  await putBack(fixture, backup, 'journal');

  await fixture.restart();
  await fixture.untilSource(rule, 'b.tif', ({ state }) => state === 'held' || state === 'complete');
  expect(fixture.statuses().toSorted()).toEqual(['a COMPLETE', 'b COMPLETE']);
  await fixture.watch.act(rule.id, 'b.tif', 'leave-it');
  await fixture.untilSource(rule, 'b.tif', ({ state }) => state === 'skipped');
}, 90_000);

describe('a restored journal', () => {
  it('detects by the counter next to it that the journal alone was restored, and asks once', async () => {
    const { fixture, rule } = await withBackupPutBack('journal');
    await fixture.restart();
    await fixture.untilSource(rule, 'Ufer', ({ state }) => state === 'held');
    await fixture.write({ 'Neu/a.jpg': 12 });
    await fixture.untilComplete(rule, 'Neu');
    await fixture.restart();
    await fixture.untilSource(rule, 'Ufer', ({ state }) => state === 'held');
    expect(alarms(fixture, rule)).toHaveLength(1);
    expect(fixture.assets()).toHaveLength(3);
  }, 60_000);

  it('reports no restore if the counter was restored with the journal', async () => {
    const { fixture, rule } = await withBackupPutBack('all');
    await fixture.restart();
    await fixture.write({ 'Neu/a.jpg': 12 });
    await fixture.untilComplete(rule, 'Neu');
    expect(alarms(fixture, rule)).toEqual([]);
  }, 60_000);

  it('holds sources changed since the backup, even if changes become assets automatically', async () => {
    const fixture = await open();
    const rule = await fixture.rule({ whenChanged: 'new-asset' });
    await fixture.write({ 'Kai/a.jpg': 10 });
    await fixture.untilComplete(rule, 'Kai');
    await fixture.stop();
    const backup = await backUp(fixture);
    await fixture.restart();
    await fixture.write({ 'Kai/a.jpg': 20 });
    await expect.poll(() => fixture.assets().length, patience).toBe(2);
    await fixture.untilComplete(rule, 'Kai');
    await fixture.stop();
    await putBack(fixture, backup, 'journal');
    await fixture.restart();
    await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'held');
    expect(fixture.assets()).toHaveLength(2);
  }, 60_000);

  it('asks before creating an asset from a source that was queued at the time of the backup', async () => {
    const fixture = await open();
    const rule = await fixture.rule();
    const refused = { match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 } } as const;
    fixture.service.control.addFault({ ...refused, action: { kind: 'status', status: 503, body: '' } });
    await fixture.write({ 'Kai/a.jpg': 10 });
    await fixture.untilSource(rule, 'Kai', ({ jobId }) => jobId !== null);
    await fixture.stop();
    const backup = await backUp(fixture);
    fixture.service.control.clearFaults();
    await fixture.restart();
    await fixture.untilComplete(rule, 'Kai');
    await fixture.write({ 'Ufer/a.jpg': 10 });
    await fixture.untilComplete(rule, 'Ufer');
    await fixture.restart();
    await fixture.stop();
    await putBack(fixture, backup, 'journal');
    await fixture.restart();
    await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'held');
    await fixture.watch.act(rule.id, 'Kai', 'leave-it');
    await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'skipped');
    await fixture.untilSource(rule, 'Ufer', ({ state }) => state === 'held');
    expect(fixture.watch.rules()[0]?.question).toEqual({ why: 'restored', count: 1 });
    await fixture.watch.answer(rule.id, 'make-all');
    await fixture.untilComplete(rule, 'Ufer');
    expect(fixture.statuses().toSorted()).toEqual(['Kai COMPLETE', 'Ufer COMPLETE', 'Ufer COMPLETE']);
  }, 60_000);

  it('reports no restore after restarts, next to another’s data, or with an invalid counter', async () => {
    const one = await open({ owner: { machine: 'one' } });
    const rule = await one.rule();
    await one.write({ 'Kai/a.jpg': 10, 'Ufer/a.jpg': 11 });
    await Promise.all([one.untilComplete(rule, 'Kai'), one.untilComplete(rule, 'Ufer')]);
    await one.restart();
    const other = await open({ service: one.service, owner: { machine: 'other' } });
    const theirs = await other.rule();
    await other.write({ 'Ost/a.jpg': 10 });
    await other.untilComplete(theirs, 'Ost');
    await one.stop();
    await writeFile(join(one.folder, 'journal-age.json'), '[]');
    await one.restart();
    await one.write({ 'Neu/a.jpg': 12 });
    await one.untilComplete(rule, 'Neu');
    expect([...alarms(one, rule), ...alarms(other, theirs)]).toEqual([]);
  }, 60_000);
});

it('reports no restore after kills at any time, and still detects a real one', async () => {
  const folder = await aFolder();
  const backup = await aFolder();
  for (let kill = 0; kill < 8; kill++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'aging-process.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await setTimeout(Math.random() * 40);
    child.kill('SIGKILL');
    await once(child, 'close');
    const { alarms: after, meet, close } = openAges(folder);
    if (kill === 0) await cp(folder, backup, { recursive: true });
    await meet();
    close();
    expect(after).toEqual([]);
  }
  for (const name of await readdir(folder)) if (name.startsWith('journal.db')) await rm(join(folder, name));
  for (const name of await readdir(backup))
    if (name.startsWith('journal.db')) await cp(join(backup, name), join(folder, name));
  const { alarms: after, meet, close } = openAges(folder);
  await meet();
  close();
  expect(after).toHaveLength(1);
}, 60_000);
