import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseOutside } from '../../../../../main/watch/rules/check-rule.ts';
import { jpeg } from '../../../../deliveries/data.ts';
import { saidLines } from '../../../../said.ts';
import { openWatchFixture, ruleOn, type WatchFixture } from '../../fixture.ts';

/** Folders that the administrator allows for watching; null: all. */
let roots: readonly string[] | null;
let fixture: WatchFixture;
let [allowed, elsewhere] = ['', ''];
beforeEach(async () => {
  roots = null;
  fixture = await openWatchFixture({
    refuseFolder: async (folder) => (roots ? refuseOutside(folder, roots) : null),
  });
  [allowed, elsewhere] = [join(fixture.folder, 'allowed'), join(fixture.folder, 'elsewhere')];
  await mkdir(join(allowed, 'flights'), { recursive: true });
  await mkdir(elsewhere);
});
afterEach(() => fixture.close());

const outside = () => ({ code: 'watch-folder-outside', message: expect.stringContaining(allowed) });
const untilState = (state: string) =>
  expect.poll(() => fixture.watch.rules()[0]?.state, { timeout: 20_000 }).toBe(state);

describe('saving a rule with allowed folders', () => {
  beforeEach(() => {
    roots = [allowed];
  });

  it('refuses a folder outside the allowed ones, names them and stores nothing', async () => {
    const rule = ruleOn(elsewhere);
    await expect(fixture.watch.dryRun(rule)).rejects.toMatchObject(outside());
    await expect(fixture.watch.save(rule, true)).rejects.toMatchObject(outside());
    expect(fixture.watch.rules()).toEqual([]);
  });

  it('accepts a folder inside an allowed one, and the allowed one itself', async () => {
    await fixture.watch.save(ruleOn(join(allowed, 'flights')), true);
    await fixture.watch.remove(fixture.watch.rules()[0]?.rule.id ?? '');
    await fixture.watch.save(ruleOn(allowed), true);
    await untilState('watching');
  });

  it('refuses a folder whose name only begins like an allowed one', async () => {
    await mkdir(`${allowed}-not`);
    await expect(fixture.watch.save(ruleOn(`${allowed}-not`), true)).rejects.toMatchObject(outside());
  });

  it('refuses a link that leads outside and accepts one that leads inside', async () => {
    await symlink(elsewhere, join(allowed, 'out'));
    await symlink(join(allowed, 'flights'), join(elsewhere, 'in'));
    await expect(fixture.watch.save(ruleOn(join(allowed, 'out')), true)).rejects.toMatchObject(outside());
    await fixture.watch.save(ruleOn(join(elsewhere, 'in')), true);
    await untilState('watching');
  });

  it('accepts a folder inside an allowed one that is itself a link', async () => {
    await symlink(elsewhere, join(fixture.folder, 'root'));
    roots = [join(fixture.folder, 'root')];
    await fixture.watch.save(ruleOn(elsewhere), true);
    await untilState('watching');
  });
});

describe('an existing rule', () => {
  it('pauses a rule with the reason while its folder isn’t allowed, and resumes it afterwards', async () => {
    const rule = await fixture.rule();
    await fixture.stop();
    roots = [allowed];
    await fixture.write({ 'Kai/a.jpg': 100 });
    await fixture.restart();
    await untilState('paused');
    expect(fixture.watch.rules()).toMatchObject([
      { notice: { code: 'watch-folder-outside', subject: { names: [allowed] } }, rule: { on: true } },
    ]);
    expect(saidLines(fixture.watch.activity(rule.id))[0]?.text).toContain(allowed);
    expect(fixture.watch.sources(rule.id)).toEqual([]);
    expect(fixture.statuses()).toEqual([]);
    await fixture.stop();
    roots = null;
    await fixture.restart();
    await fixture.untilComplete(rule, 'Kai');
  });

  it('pauses a rule when its link leads elsewhere, and resumes it when the link leads back', async () => {
    roots = [allowed];
    const link = join(fixture.folder, 'landing');
    const turn = async (to: string) => {
      await symlink(to, `${link}-new`);
      await rename(`${link}-new`, link);
    };
    await turn(join(allowed, 'flights'));
    const rule = await fixture.rule({ folder: link });
    await untilState('watching');
    await mkdir(join(elsewhere, 'Secret'));
    await writeFile(join(elsewhere, 'Secret', 'a.jpg'), jpeg());
    await turn(elsewhere);
    await untilState('paused');
    await turn(join(allowed, 'flights'));
    await untilState('watching');
    expect(fixture.watch.sources(rule.id)).toEqual([]);
    expect(fixture.statuses()).toEqual([]);
  });
});
