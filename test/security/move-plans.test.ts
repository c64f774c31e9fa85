import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WatchRule } from '../../main/watch/model/rule.ts';
import { tiff } from '../deliveries/data.ts';
import {
  openWatchFixture,
  ruleOn,
  settingsInMemory,
  type WatchFixture,
} from '../integration/watch/fixture.ts';
import { saidLines } from '../said.ts';

/**
 * The content of a watched folder is data, never an order: its writers move, replace and read nothing
 * outside.
 */

let house: WatchFixture;
let home: string;

afterEach(() => house.close());

/** Opens a house with its rule from the start. */
async function openWith(change: Partial<WatchRule>): Promise<WatchRule> {
  const settings = settingsInMemory();
  house = await openWatchFixture({ settings });
  home = join(house.folder, 'home');
  const rule = ruleOn(house.incoming, { name: 'Scans', ...change });
  settings.update({ watchRules: [rule] });
  await writeText(join(home, '.bashrc'), 'the person’s own');
  await writeText(join(home, 'keys/secret.tif'), 'secret');
  return rule;
}

async function writeText(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const planIn = (moves: unknown, name = 'plan.json') =>
  writeText(join(house.incoming, '.tilelift/moves', name), JSON.stringify(moves));

/** Waits until the folder is scanned and its honest content is done. */
async function watched(rule: WatchRule): Promise<void> {
  await house.write({ 'honest/a.tif': tiff('honest') });
  await house.restart();
  await house.untilComplete(rule, 'honest');
}

const bashrc = () => readFile(join(home, '.bashrc'), 'utf8');
const activityTexts = (rule: WatchRule) => saidLines(house.watch.activity(rule.id)).map(({ text }) => text);

describe.each([
  ['leaves what is done', { kind: 'leave' }],
  ['moves what is done', { kind: 'move', folder: 'done' }],
] as const)('a plan in the folder of a rule that %s', (_, afterSuccess) => {
  let rule: WatchRule;
  beforeEach(async () => {
    rule = await openWith({ afterSuccess });
  });

  it('S1: a move plan replaces no file outside', async () => {
    await writeText(join(house.incoming, '.tilelift/evil'), 'evil');
    await planIn([
      { from: join(home, '.bashrc'), to: join(house.incoming, 'bashrc.old') },
      { from: join(house.incoming, '.tilelift/evil'), to: join(home, '.bashrc') },
    ]);
    await watched(rule);
    expect(await bashrc()).toBe('the person’s own');
  });

  it('S2: a move plan writes no autostart file', async () => {
    await writeText(join(house.incoming, '.tilelift/evil.desktop'), '[Desktop Entry]');
    const target = join(home, '.config/autostart/evil.desktop');
    await planIn([{ from: join(house.incoming, '.tilelift/evil.desktop'), to: target }]);
    await watched(rule);
    expect(await readdir(home)).toEqual(['.bashrc', 'keys']);
  });

  it('S3: creates no asset from an outside file', async () => {
    await planIn([{ from: join(home, 'keys/secret.tif'), to: join(house.incoming, 'secret.tif') }]);
    await watched(rule);
    expect(house.statuses()).toEqual(['honest COMPLETE']);
    expect(await readdir(join(home, 'keys'))).toEqual(['secret.tif']);
  });

  it('S4: a move plan that links to a foreign folder empties nothing', async () => {
    await mkdir(join(house.incoming, '.tilelift'));
    await symlink(join(home, 'keys'), join(house.incoming, '.tilelift/moves'));
    await watched(rule);
    expect(await readdir(join(home, 'keys'))).toEqual(['secret.tif']);
  });

  it('a move plan that links to an outside file reads and removes nothing', async () => {
    await mkdir(join(house.incoming, '.tilelift/moves'), { recursive: true });
    await symlink(join(home, '.bashrc'), join(house.incoming, '.tilelift/moves/plan.json'));
    await watched(rule);
    expect(await bashrc()).toBe('the person’s own');
  });

  it('a move plan with parent paths moves nothing', async () => {
    await planIn([
      { from: `${house.incoming}/x/../../home/.bashrc`, to: `${house.incoming}/done/.bashrc` },
      { from: `${house.incoming}/honest`, to: `${house.incoming}/done/../../home/honest` },
    ]);
    await watched(rule);
    expect(await bashrc()).toBe('the person’s own');
    expect(await readdir(home)).toEqual(['.bashrc', 'keys']);
  });
});

describe('a link in place of a folder', () => {
  it('a link in place of a folder that sources move to is not followed', async () => {
    const rule = await openWith({ afterSuccess: { kind: 'move', folder: 'done' } });
    await mkdir(join(home, 'autostart'));
    await symlink(join(home, 'autostart'), join(house.incoming, 'done'));
    await watched(rule);
    await vi.waitFor(() =>
      expect(activityTexts(rule)).toContainEqual(expect.stringContaining('could not be moved')),
    );
    expect(await readdir(join(home, 'autostart'))).toEqual([]);
    expect(await readdir(join(house.incoming, 'honest'))).toEqual(['a.tif']);
  });

  it('a link on the way to the target folder is not followed', async () => {
    const rule = await openWith({ afterSuccess: { kind: 'move', folder: 'a/done' } });
    await mkdir(join(home, 'autostart'));
    await symlink(join(home, 'autostart'), join(house.incoming, 'a'));
    await watched(rule);
    await vi.waitFor(() =>
      expect(activityTexts(rule)).toContainEqual(expect.stringContaining('could not be moved')),
    );
    expect(await readdir(join(home, 'autostart'))).toEqual([]);
  });
});

it('a plan written after the rule started is never read', async () => {
  const rule = await openWith({ afterSuccess: { kind: 'move', folder: 'done' } });
  await watched(rule);
  await house.write({ 'mine/a.tif': tiff('mine'), 'elsewhere/b.tif': tiff('b') });
  await planIn([{ from: join(house.incoming, 'mine'), to: join(house.incoming, 'done/forged') }]);
  await house.restart();
  await house.untilComplete(rule, 'mine');
  expect(await readdir(join(house.incoming, 'done'))).not.toContain('forged');
});
