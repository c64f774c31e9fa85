import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseOutside } from '../../../../../main/watch/scan/folder/paths.ts';
import { jpeg } from '../../../../deliveries/data.ts';
import { saidLines } from '../../../../said.ts';
import { openWatchHouse, ruleOn, type WatchHouse } from '../../house.ts';

/** Folders that the administrator allows for watching; null: all. */
let roots: readonly string[] | null;
let house: WatchHouse;
let [allowed, elsewhere] = ['', ''];
beforeEach(async () => {
  roots = null;
  house = await openWatchHouse({
    refuseFolder: async (folder) => (roots ? refuseOutside(folder, roots) : null),
  });
  [allowed, elsewhere] = [join(house.folder, 'allowed'), join(house.folder, 'elsewhere')];
  await mkdir(join(allowed, 'flights'), { recursive: true });
  await mkdir(elsewhere);
});
afterEach(() => house.close());

const outside = () => ({ code: 'watch-folder-outside', message: expect.stringContaining(allowed) });
const untilState = (state: string) =>
  expect.poll(() => house.watch.rules()[0]?.state, { timeout: 20_000 }).toBe(state);

describe('saving a rule with allowed folders', () => {
  beforeEach(() => {
    roots = [allowed];
  });

  it('refuses a folder outside the allowed ones, names them and stores nothing', async () => {
    const rule = ruleOn(elsewhere);
    await expect(house.watch.dryRun(rule)).rejects.toMatchObject(outside());
    await expect(house.watch.save(rule, true)).rejects.toMatchObject(outside());
    expect(house.watch.rules()).toEqual([]);
  });

  it('accepts a folder inside an allowed one, and the allowed one itself', async () => {
    await house.watch.save(ruleOn(join(allowed, 'flights')), true);
    await house.watch.remove(house.watch.rules()[0]?.rule.id ?? '');
    await house.watch.save(ruleOn(allowed), true);
    await untilState('watching');
  });

  it('refuses a folder whose name only begins like an allowed one', async () => {
    await mkdir(`${allowed}-not`);
    await expect(house.watch.save(ruleOn(`${allowed}-not`), true)).rejects.toMatchObject(outside());
  });

  it('refuses a link that leads outside and accepts one that leads inside', async () => {
    await symlink(elsewhere, join(allowed, 'out'));
    await symlink(join(allowed, 'flights'), join(elsewhere, 'in'));
    await expect(house.watch.save(ruleOn(join(allowed, 'out')), true)).rejects.toMatchObject(outside());
    await house.watch.save(ruleOn(join(elsewhere, 'in')), true);
    await untilState('watching');
  });

  it('accepts a folder inside an allowed one that is itself a link', async () => {
    await symlink(elsewhere, join(house.folder, 'root'));
    roots = [join(house.folder, 'root')];
    await house.watch.save(ruleOn(elsewhere), true);
    await untilState('watching');
  });
});

describe('an existing rule', () => {
  it('pauses a rule with the reason while its folder isn’t allowed, and resumes it afterwards', async () => {
    const rule = await house.rule();
    await house.stop();
    roots = [allowed];
    await house.write({ 'Kai/a.jpg': 100 });
    await house.restart();
    await untilState('paused');
    expect(house.watch.rules()).toMatchObject([
      { notice: { code: 'watch-folder-outside', subject: { names: [allowed] } }, rule: { on: true } },
    ]);
    expect(saidLines(house.watch.activity(rule.id))[0]?.text).toContain(allowed);
    expect(house.watch.sources(rule.id)).toEqual([]);
    expect(house.statuses()).toEqual([]);
    await house.stop();
    roots = null;
    await house.restart();
    await house.untilComplete(rule, 'Kai');
  });

  it('pauses a rule when its link leads elsewhere, and resumes it when the link leads back', async () => {
    roots = [allowed];
    const link = join(house.folder, 'landing');
    const turn = async (to: string) => {
      await symlink(to, `${link}-new`);
      await rename(`${link}-new`, link);
    };
    await turn(join(allowed, 'flights'));
    const rule = await house.rule({ folder: link });
    await untilState('watching');
    await mkdir(join(elsewhere, 'Secret'));
    await writeFile(join(elsewhere, 'Secret', 'a.jpg'), jpeg());
    await turn(elsewhere);
    await untilState('paused');
    await turn(join(allowed, 'flights'));
    await untilState('watching');
    expect(house.watch.sources(rule.id)).toEqual([]);
    expect(house.statuses()).toEqual([]);
  });
});
