import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { checkRule } from '../../../../main/watch/rules/check-rule.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { saidLines } from '../../../said.ts';
import { type FixtureOptions, openWatchFixture, ruleOn, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
const open = async (options?: FixtureOptions) => {
  fixture = await openWatchFixture(options);
  return fixture;
};
afterEach(() => fixture.close());

const snapshot = () => fixture.watch.rules()[0];
/** Holds every upload until the faults are cleared. */
const holdUploads = () =>
  fixture.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'hold' },
  });

describe('saving a rule', () => {
  it('refuses a folder that contains or is inside a watched one, even through a link', async () => {
    await open();
    await mkdir(join(fixture.incoming, 'inner'));
    await symlink(join(fixture.incoming, 'inner'), join(fixture.folder, 'link'));
    await fixture.rule();
    const nested = { code: 'watch-folder-nested' };
    for (const folder of [
      fixture.incoming,
      join(fixture.incoming, 'inner'),
      join(fixture.folder, 'link'),
      fixture.folder,
    ])
      await expect(fixture.watch.save(ruleOn(folder), true)).rejects.toMatchObject(nested);
    expect(fixture.watch.rules()).toHaveLength(1);
  });

  it('refuses a rule that moves sources into the folder of another rule', async () => {
    await open();
    await mkdir(join(fixture.folder, 'other'));
    await fixture.rule();
    const move = { kind: 'move', folder: join(fixture.incoming, 'from-elsewhere') } as const;
    await expect(
      fixture.watch.save(ruleOn(join(fixture.folder, 'other'), { afterSuccess: move }), true),
    ).rejects.toMatchObject({ code: 'watch-folder-nested' });
  });

  it('refuses a rule that moves sources to its own folder, a parent or another drive', async ({ skip }) => {
    await open();
    const unusable = { code: 'watch-target-unusable' };
    const to = (folder: string) => ruleOn(fixture.incoming, { afterFailure: { kind: 'move', folder } });
    for (const folder of ['.', '..', fixture.incoming, fixture.folder])
      await expect(checkRule(to(folder), [])).rejects.toMatchObject(unusable);
    await expect(checkRule(to('done'), [])).resolves.toBeUndefined();
    if (process.platform !== 'linux') skip('no second drive is known here');
    await expect(checkRule(to('/dev/shm/done'), [])).rejects.toMatchObject(unusable);
  });

  it('refuses a new rule while the marker file of its drive is missing', async () => {
    await open();
    await expect(fixture.rule({ mountMarker: '.mounted' })).rejects.toMatchObject({
      code: 'watch-marker-missing',
    });
  });

  it('refuses a rule whose folder is missing and stores nothing', async () => {
    await open();
    const rule = ruleOn(join(fixture.folder, 'gone'));
    await expect(fixture.watch.save(rule, true)).rejects.toMatchObject({ code: 'watch-folder-missing' });
    await expect(fixture.watch.dryRun(rule)).rejects.toMatchObject({ code: 'watch-folder-missing' });
    expect(fixture.watch.rules()).toEqual([]);
  });
});

describe('a rule that is edited during its work', () => {
  it('applies the new patterns of an edited rule', async () => {
    await open();
    const unit = { kind: 'files', patterns: ['*.las'] } as const;
    const rule = await fixture.rule({ unit });
    await fixture.write({ 'a.las': 100, 'a.laz': 100 });
    await fixture.untilComplete(rule, 'a.las');
    await fixture.watch.save({ ...rule, unit: { kind: 'files', patterns: ['*.laz'] } }, true);
    await fixture.write({ 'b.las': 100 });
    await fixture.untilComplete(rule, 'a.laz');
    expect(fixture.statuses()).toEqual(['a COMPLETE', 'a COMPLETE']);
    expect(
      fixture.watch
        .sources(rule.id)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['a.las', 'a.laz']);
  });

  it('continues in the new folder of an edited rule', async () => {
    await open();
    const rule = await fixture.rule();
    await fixture.write({ 'One/a.jpg': 100 });
    await fixture.untilComplete(rule, 'One');
    const folder = join(fixture.folder, 'moved-to');
    await mkdir(join(folder, 'Two'), { recursive: true });
    await writeFile(join(folder, 'Two', 'a.jpg'), jpeg());
    await fixture.watch.save({ ...rule, folder }, true);
    await fixture.untilComplete(rule, 'Two');
    await fixture.write({ 'Three/a.jpg': 100 });
    await writeFile(join(folder, 'Four.jpg'), jpeg());
    await fixture.untilComplete(rule, 'Four.jpg');
    expect(fixture.statuses()).toEqual(['One COMPLETE', 'Two COMPLETE', 'Four COMPLETE']);
  });

  it('moves a source under way as the edited rule says', async () => {
    await open();
    holdUploads();
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 100 });
    await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    await fixture.watch.save({ ...rule, afterSuccess: { kind: 'move', folder: 'done' } }, true);
    fixture.service.control.clearFaults();
    await fixture.untilSource(rule, 'Kai', ({ movedTo }) => movedTo !== undefined);
    expect(await readdir(fixture.incoming)).toEqual(['done']);
  });

  it('watches a folder once, however often and fast its rule is edited', async () => {
    await open();
    const rule = await fixture.rule();
    const changes = Array.from({ length: 5 }, (_, index) =>
      fixture.watch.save({ ...rule, name: `${index}` }, true),
    );
    for (const on of [false, true, false, true]) fixture.watch.setOn(rule.id, on);
    await Promise.all(changes);
    await fixture.write({ 'Kai/a.jpg': 100 });
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
  });
});

it('lets jobs of a removed rule finish, records their end and picks up nothing more', async () => {
  await open();
  holdUploads();
  const rule = await fixture.rule();
  await fixture.write({ 'Kai/a.jpg': 100 });
  const { jobId } = await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
  fixture.watch.remove(rule.id);
  expect(fixture.watch.rules()).toEqual([]);
  await fixture.write({ 'Late/a.jpg': 100 });
  fixture.service.control.clearFaults();
  await expect.poll(() => fixture.ledger().find(rule.id, 'Kai')).toMatchObject({ state: 'complete', jobId });
  expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
});

describe('a paused rule', () => {
  it('lets jobs of a paused rule finish and picks up later arrivals once it is turned on', async () => {
    await open();
    holdUploads();
    const rule = await fixture.rule({ afterSuccess: { kind: 'move', folder: 'done' } });
    await fixture.write({ 'Kai/a.jpg': 100 });
    await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    fixture.watch.setOn(rule.id, false);
    expect(snapshot()).toMatchObject({ state: 'paused', notice: null });
    await fixture.write({ 'Late/a.jpg': 100 });
    fixture.service.control.clearFaults();
    await fixture.untilSource(rule, 'Kai', ({ movedTo }) => movedTo !== undefined);
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
    await fixture.restart();
    expect(snapshot()).toMatchObject({ state: 'paused' });
    fixture.watch.setOn(rule.id, true);
    await fixture.untilComplete(rule, 'Late');
    expect(saidLines(fixture.watch.activity(rule.id)).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Paused.', 'Turned on.']),
    );
  });

  it('keeps a rule paused after it is turned on and off again immediately', async () => {
    await open();
    const rule = await fixture.rule({ on: false });
    fixture.watch.setOn(rule.id, true);
    fixture.watch.setOn(rule.id, false);
    await fixture.write({ 'Kai/a.jpg': 100 });
    const second = join(fixture.folder, 'second');
    await mkdir(join(second, 'Other'), { recursive: true });
    await writeFile(join(second, 'Other', 'a.jpg'), jpeg());
    await fixture.untilComplete(await fixture.rule({ folder: second }), 'Other');
    expect(fixture.watch.sources(rule.id)).toEqual([]);
    expect(snapshot()?.state).toBe('paused');
  });
});

describe('a damaged journal', () => {
  it('pauses every rule with a notice if rows of the ledger are lost', async () => {
    await open();
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 100 });
    await fixture.untilComplete(rule, 'Kai');
    await fixture.stop();
    const database = new DatabaseSync(fixture.journalPath);
    database.exec('PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON');
    database.exec("UPDATE ledger SET state = 'nonsense'");
    database.close();
    await fixture.restart();
    expect(snapshot()).toMatchObject({ state: 'paused', notice: { code: 'watch-ledger-lost' } });
    await fixture.write({ 'Other/a.jpg': 100 });
    expect(fixture.watch.sources(rule.id).filter(({ state }) => state !== 'complete')).toEqual([]);
    expect((await fixture.watch.dryRun({ ...rule, on: true })).wouldBeTaken).toBe(2);
    fixture.watch.setOn(rule.id, true);
    expect(snapshot()?.notice).toBeNull();
  });
});

describe('a dry run', () => {
  it('lists new and known sources without changing the disk or the ledger', async () => {
    await open();
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 100 });
    await fixture.untilComplete(rule, 'Kai');
    fixture.watch.setOn(rule.id, false);
    await fixture.write({ 'Hafen/a.jpg': 100, 'Hafen/b.jpg': 50, 'scan.jpg': 10 });
    const edited = {
      ...rule,
      namePattern: '{name} #{counter}',
      shared: true,
      afterSuccess: { kind: 'move', folder: 'done' },
    } as const;
    const before = await readdir(fixture.incoming, { recursive: true });
    expect(await fixture.watch.dryRun(edited)).toMatchObject({
      wouldBeTaken: 2,
      known: 1,
      sources: [
        { path: 'Hafen', name: 'Hafen #002', files: 2, bytes: 150, outcome: 'would-be-taken' },
        { path: 'Kai', name: 'Kai #003', files: 1, bytes: 100, outcome: 'known' },
        { path: 'scan.jpg', name: 'scan #003', files: 1, bytes: 10, outcome: 'would-be-taken' },
      ],
    });
    expect(await readdir(fixture.incoming, { recursive: true })).toEqual(before);
    expect(fixture.watch.rules()).toMatchObject([{ rule: { namePattern: '{name}' } }]);
    expect(fixture.ledger().counts(rule.id)).toMatchObject({ complete: 1, taken: 0, skipped: 0 });

    const unheard = ruleOn(join(fixture.folder), { unit: { kind: 'files', patterns: ['*.db'] } });
    fixture.watch.remove(rule.id);
    expect((await fixture.watch.dryRun(unheard)).sources).toMatchObject([{ path: 'journal.db' }]);
  });
});
