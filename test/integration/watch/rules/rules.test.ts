import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { checkRule } from '../../../../main/watch/rules/check-rule.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { saidLines } from '../../../said.ts';
import { type HouseOptions, openWatchHouse, ruleOn, type WatchHouse } from '../house.ts';

let house: WatchHouse;
const open = async (options?: HouseOptions) => {
  house = await openWatchHouse(options);
  return house;
};
afterEach(() => house.close());

const snapshot = () => house.watch.rules()[0];
/** Holds every upload until the faults are cleared. */
const holdUploads = () =>
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'hold' },
  });

describe('saving a rule', () => {
  it('refuses a folder that contains or is inside a watched one, even through a link', async () => {
    await open();
    await mkdir(join(house.incoming, 'inner'));
    await symlink(join(house.incoming, 'inner'), join(house.folder, 'link'));
    await house.rule();
    const nested = { code: 'watch-folder-nested' };
    for (const folder of [
      house.incoming,
      join(house.incoming, 'inner'),
      join(house.folder, 'link'),
      house.folder,
    ])
      await expect(house.watch.save(ruleOn(folder), true)).rejects.toMatchObject(nested);
    expect(house.watch.rules()).toHaveLength(1);
  });

  it('refuses a rule that moves sources into the folder of another rule', async () => {
    await open();
    await mkdir(join(house.folder, 'other'));
    await house.rule();
    const move = { kind: 'move', folder: join(house.incoming, 'from-elsewhere') } as const;
    await expect(
      house.watch.save(ruleOn(join(house.folder, 'other'), { afterSuccess: move }), true),
    ).rejects.toMatchObject({ code: 'watch-folder-nested' });
  });

  it('refuses a rule that moves sources to its own folder, a parent or another drive', async ({ skip }) => {
    await open();
    const unusable = { code: 'watch-target-unusable' };
    const to = (folder: string) => ruleOn(house.incoming, { afterFailure: { kind: 'move', folder } });
    for (const folder of ['.', '..', house.incoming, house.folder])
      await expect(checkRule(to(folder), [])).rejects.toMatchObject(unusable);
    await expect(checkRule(to('done'), [])).resolves.toBeUndefined();
    if (process.platform !== 'linux') skip('no second drive is known here');
    await expect(checkRule(to('/dev/shm/done'), [])).rejects.toMatchObject(unusable);
  });

  it('refuses a rule whose folder is missing and stores nothing', async () => {
    await open();
    const rule = ruleOn(join(house.folder, 'gone'));
    await expect(house.watch.save(rule, true)).rejects.toMatchObject({ code: 'watch-folder-missing' });
    await expect(house.watch.dryRun(rule)).rejects.toMatchObject({ code: 'watch-folder-missing' });
    expect(house.watch.rules()).toEqual([]);
  });
});

describe('a rule that is edited during its work', () => {
  it('applies the new patterns of an edited rule', async () => {
    await open();
    const unit = { kind: 'files', patterns: ['*.las'] } as const;
    const rule = await house.rule({ unit });
    await house.write({ 'a.las': 100, 'a.laz': 100 });
    await house.untilComplete(rule, 'a.las');
    await house.watch.save({ ...rule, unit: { kind: 'files', patterns: ['*.laz'] } }, true);
    await house.write({ 'b.las': 100 });
    await house.untilComplete(rule, 'a.laz');
    expect(house.statuses()).toEqual(['a COMPLETE', 'a COMPLETE']);
    expect(
      house.watch
        .sources(rule.id)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['a.las', 'a.laz']);
  });

  it('continues in the new folder of an edited rule', async () => {
    await open();
    const rule = await house.rule();
    await house.write({ 'One/a.jpg': 100 });
    await house.untilComplete(rule, 'One');
    const folder = join(house.folder, 'moved-to');
    await mkdir(join(folder, 'Two'), { recursive: true });
    await writeFile(join(folder, 'Two', 'a.jpg'), jpeg());
    await house.watch.save({ ...rule, folder }, true);
    await house.untilComplete(rule, 'Two');
    await house.write({ 'Three/a.jpg': 100 });
    await writeFile(join(folder, 'Four.jpg'), jpeg());
    await house.untilComplete(rule, 'Four.jpg');
    expect(house.statuses()).toEqual(['One COMPLETE', 'Two COMPLETE', 'Four COMPLETE']);
  });

  it('moves a source under way as the edited rule says', async () => {
    await open();
    holdUploads();
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 100 });
    await house.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    await house.watch.save({ ...rule, afterSuccess: { kind: 'move', folder: 'done' } }, true);
    house.service.control.clearFaults();
    await house.untilSource(rule, 'Kai', ({ movedTo }) => movedTo !== undefined);
    expect(await readdir(house.incoming)).toEqual(['done']);
  });

  it('watches a folder once, however often and fast its rule is edited', async () => {
    await open();
    const rule = await house.rule();
    const changes = Array.from({ length: 5 }, (_, index) =>
      house.watch.save({ ...rule, name: `${index}` }, true),
    );
    for (const on of [false, true, false, true]) house.watch.setOn(rule.id, on);
    await Promise.all(changes);
    await house.write({ 'Kai/a.jpg': 100 });
    await house.untilComplete(rule, 'Kai');
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
  });
});

describe('a removed rule', () => {
  it('lets jobs of a removed rule finish, records their end and picks up nothing more', async () => {
    await open();
    holdUploads();
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 100 });
    const { jobId } = await house.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    house.watch.remove(rule.id);
    expect(house.watch.rules()).toEqual([]);
    await house.write({ 'Late/a.jpg': 100 });
    house.service.control.clearFaults();
    await expect.poll(() => house.ledger().find(rule.id, 'Kai')).toMatchObject({ state: 'complete', jobId });
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
  });
});

describe('a paused rule', () => {
  it('lets jobs of a paused rule finish and picks up later arrivals once it is turned on', async () => {
    await open();
    holdUploads();
    const rule = await house.rule({ afterSuccess: { kind: 'move', folder: 'done' } });
    await house.write({ 'Kai/a.jpg': 100 });
    await house.untilSource(rule, 'Kai', ({ state }) => state === 'under-way');
    house.watch.setOn(rule.id, false);
    expect(snapshot()).toMatchObject({ state: 'paused', notice: null });
    await house.write({ 'Late/a.jpg': 100 });
    house.service.control.clearFaults();
    await house.untilSource(rule, 'Kai', ({ movedTo }) => movedTo !== undefined);
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
    await house.restart();
    expect(snapshot()).toMatchObject({ state: 'paused' });
    house.watch.setOn(rule.id, true);
    await house.untilComplete(rule, 'Late');
    expect(saidLines(house.watch.activity(rule.id)).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Paused.', 'Turned on.']),
    );
  });

  it('keeps a rule paused after it is turned on and off again immediately', async () => {
    await open();
    const rule = await house.rule({ on: false });
    house.watch.setOn(rule.id, true);
    house.watch.setOn(rule.id, false);
    await house.write({ 'Kai/a.jpg': 100 });
    const second = join(house.folder, 'second');
    await mkdir(join(second, 'Other'), { recursive: true });
    await writeFile(join(second, 'Other', 'a.jpg'), jpeg());
    await house.untilComplete(await house.rule({ folder: second }), 'Other');
    expect(house.watch.sources(rule.id)).toEqual([]);
    expect(snapshot()?.state).toBe('paused');
  });
});

describe('a damaged journal', () => {
  it('pauses every rule with a notice if rows of the ledger are lost', async () => {
    await open();
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 100 });
    await house.untilComplete(rule, 'Kai');
    await house.stop();
    const database = new DatabaseSync(house.journalPath);
    database.exec('PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON');
    database.exec("UPDATE ledger SET state = 'nonsense'");
    database.close();
    await house.restart();
    expect(snapshot()).toMatchObject({ state: 'paused', notice: { code: 'watch-ledger-lost' } });
    await house.write({ 'Other/a.jpg': 100 });
    expect(house.watch.sources(rule.id).filter(({ state }) => state !== 'complete')).toEqual([]);
    expect((await house.watch.dryRun({ ...rule, on: true })).wouldBeTaken).toBe(2);
    house.watch.setOn(rule.id, true);
    expect(snapshot()?.notice).toBeNull();
  });
});

describe('a dry run', () => {
  it('lists new and known sources without changing the disk or the ledger', async () => {
    await open();
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 100 });
    await house.untilComplete(rule, 'Kai');
    house.watch.setOn(rule.id, false);
    await house.write({ 'Hafen/a.jpg': 100, 'Hafen/b.jpg': 50, 'scan.jpg': 10 });
    const edited = {
      ...rule,
      namePattern: '{name} #{counter}',
      shared: true,
      afterSuccess: { kind: 'move', folder: 'done' },
    } as const;
    const before = await readdir(house.incoming, { recursive: true });
    expect(await house.watch.dryRun(edited)).toMatchObject({
      wouldBeTaken: 2,
      known: 1,
      sources: [
        { path: 'Hafen', name: 'Hafen #002', files: 2, bytes: 150, outcome: 'would-be-taken' },
        { path: 'Kai', name: 'Kai #003', files: 1, bytes: 100, outcome: 'known' },
        { path: 'scan.jpg', name: 'scan #003', files: 1, bytes: 10, outcome: 'would-be-taken' },
      ],
    });
    expect(await readdir(house.incoming, { recursive: true })).toEqual(before);
    expect(house.watch.rules()).toMatchObject([{ rule: { namePattern: '{name}' } }]);
    expect(house.ledger().counts(rule.id)).toMatchObject({ complete: 1, taken: 0, skipped: 0 });

    const unheard = ruleOn(join(house.folder), { unit: { kind: 'files', patterns: ['*.db'] } });
    house.watch.remove(rule.id);
    expect((await house.watch.dryRun(unheard)).sources).toMatchObject([{ path: 'journal.db' }]);
  });
});
