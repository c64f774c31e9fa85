import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseOutside } from '../../../../../main/watch/scan/folder/paths.ts';
import { jpeg } from '../../../../deliveries/data.ts';
import { saidLines } from '../../../../said.ts';
import { openWatchHouse, ruleOn, type WatchHouse } from '../../house.ts';

/** Folders that may be watched, as an administrator would have them; null for all. */
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

describe('a new rule', () => {
  beforeEach(() => {
    roots = [allowed];
  });

  it('outside what may be watched is refused, naming that, and not kept', async () => {
    const rule = ruleOn(elsewhere);
    await expect(house.watch.dryRun(rule)).rejects.toMatchObject(outside());
    await expect(house.watch.save(rule, true)).rejects.toMatchObject(outside());
    expect(house.watch.rules()).toEqual([]);
  });

  it('inside is kept, at the root itself too', async () => {
    await house.watch.save(ruleOn(join(allowed, 'flights')), true);
    await house.watch.remove(house.watch.rules()[0]?.rule.id ?? '');
    await house.watch.save(ruleOn(allowed), true);
    await untilState('watching');
  });

  it('on a folder whose name only begins like a root is refused', async () => {
    await mkdir(`${allowed}-not`);
    await expect(house.watch.save(ruleOn(`${allowed}-not`), true)).rejects.toMatchObject(outside());
  });

  it('on a link that leads out is refused, and on one that leads in is kept', async () => {
    await symlink(elsewhere, join(allowed, 'out'));
    await symlink(join(allowed, 'flights'), join(elsewhere, 'in'));
    await expect(house.watch.save(ruleOn(join(allowed, 'out')), true)).rejects.toMatchObject(outside());
    await house.watch.save(ruleOn(join(elsewhere, 'in')), true);
    await untilState('watching');
  });

  it('inside a root that is itself a link is kept', async () => {
    await symlink(elsewhere, join(house.folder, 'root'));
    roots = [join(house.folder, 'root')];
    await house.watch.save(ruleOn(elsewhere), true);
    await untilState('watching');
  });
});

describe('a rule that is there already', () => {
  it('is paused with the reason, takes nothing, and continues as it was when it may again', async () => {
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

  it('is paused when its link is turned elsewhere, and continues when it is turned back', async () => {
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
