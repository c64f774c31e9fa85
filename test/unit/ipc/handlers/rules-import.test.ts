import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import { createGrantedPaths } from '../../../../main/ipc/granted-paths.ts';
import type { RulesParts } from '../../../../main/ipc/handlers/rules-import.ts';
import { callInputs } from '../../../../main/ipc/inputs.ts';
import { noPolicy } from '../../../../main/policy/policy.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { rulesFileText } from '../../../../main/watch/rules/rules-file.ts';
import type { ImportWishView, RulesFileView } from '../../../../preload/contract.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';

const electron = vi.hoisted(() => ({
  dialog: { showOpenDialog: vi.fn(), showMessageBox: vi.fn() },
  clipboard: { writeText: vi.fn() },
}));
vi.mock('electron', () => electron);
const { importHandlers } = await import('../../../../main/ipc/handlers/rules-import.ts');
const { dialog, clipboard } = electron;

let folder: string;
let file: string;
let north: WatchRule;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-import-'));
  file = join(folder, 'tilelift-rules.json');
  north = aWatchRule({ id: 'north', name: 'North', folder: join(folder, 'north'), accountId: 'stranger' });
  await mkdir(north.folder);
  vi.resetAllMocks();
  dialog.showOpenDialog.mockResolvedValue({ filePaths: [file] });
  dialog.showMessageBox.mockResolvedValue({ response: 0 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function house(kept: readonly WatchRule[] = [], refuses?: string) {
  const settings = settingsInMemory();
  settings.update({ watchRules: kept });
  const granted = createGrantedPaths(() => settings.get().watchRules);
  const saved: [WatchRule, boolean][] = [];
  const removed: string[] = [];
  const tilelift = {
    accounts: {
      state: () => ({ kind: 'signed-in', account: { id: 'mara' } }),
      accounts: () => [{ id: 'mara' }, { id: 'jo' }],
    },
    watch: {
      checkAllowed: async (place: string) => {
        if (place === refuses) throw new TileliftError('watch-folder-outside', { subject: '/srv' });
      },
      save: async (rule: WatchRule, takeExisting: boolean) => {
        if (rule.name === refuses) throw new TileliftError('watch-folder-nested', { subject: 'both' });
        saved.push([rule, takeExisting]);
      },
      remove: (id: string) => removed.push(id),
    },
  };
  const parts = { tilelift, settings, granted, policy: noPolicy, window: () => undefined };
  const handlers = importHandlers(parts as unknown as RulesParts);
  return { handlers, granted, saved, removed };
}

/** All rules of a file, as they are offered. */
function wishFor(opened: RulesFileView | null, change: Partial<ImportWishView['rules'][number]> = {}) {
  if (opened?.kind !== 'rules') throw new Error(JSON.stringify(opened));
  const rules = opened.rules.map(({ accountId }, index) => {
    return { index, accountId, folder: null, replace: true, existing: 'leave' as const, ...change };
  });
  const wish = { file: opened.id, rules };
  expect(callInputs['rules.import'].safeParse(wish).success).toBe(true);
  return wish;
}

const asked = () => dialog.showMessageBox.mock.calls[0]?.at(-1) as { detail: string } | undefined;

describe('a file of rules', () => {
  it('is shown with what there is to say of each rule, and nothing is kept yet', async () => {
    const south = { ...north, id: 'south', folder: join(folder, 'nowhere'), accountId: 'jo' };
    await writeFile(file, rulesFileText([north, south]));
    const { handlers, saved } = house([{ ...north, name: 'Before' }]);
    const { unit, kindFrom, sourceType } = north;
    const made = { unit, kindFrom, sourceType };
    expect(await handlers['rules.open'](null)).toEqual({
      kind: 'rules',
      id: expect.any(String),
      path: file,
      rules: [
        {
          ...made,
          name: 'North',
          folder: north.folder,
          isThere: true,
          accountId: 'stranger',
          replaces: 'Before',
        },
        { ...made, name: 'North', folder: south.folder, isThere: false, accountId: 'jo', replaces: null },
      ],
    });
    expect(saved).toEqual([]);
  });

  it('is null when the person cancels', async () => {
    dialog.showOpenDialog.mockResolvedValue({ filePaths: [] });
    expect(await house().handlers['rules.open'](null)).toBeNull();
  });

  it('that can’t be used is told with every problem, which can be copied; nothing of it is imported', async () => {
    await writeFile(file, rulesFileText([north, { ...north, id: 'b', name: '', foldr: 1 } as WatchRule]));
    const { handlers, saved } = house();
    const opened = await handlers['rules.open'](null);
    expect(opened).toMatchObject({
      kind: 'problems',
      problems: [
        { line: expect.any(Number), field: 'rules[1].name', what: { key: 'rulesFile.problem.empty' } },
        { field: 'rules[1].foldr', what: { key: 'rulesFile.problem.unknown' } },
      ],
    });
    await handlers['rules.copyProblems'](null);
    const copied = expect.stringMatching(/Line \d+, column \d+: rules\[1\]\.name must not be empty\n/);
    expect(clipboard.writeText).toHaveBeenCalledWith(copied);
    const wish = { file: opened?.id ?? '', rules: [] };
    await expect(handlers['rules.import'](wish)).rejects.toMatchObject({ code: 'input-invalid' });
    expect(saved).toEqual([]);
  });
});

describe('rules that a person wants of a file', () => {
  beforeEach(() => writeFile(file, rulesFileText([north])));

  it('are kept as they say, once they have agreed to the folders in the file where no page can answer', async () => {
    const { handlers, granted, saved } = house();
    const wish = wishFor(await handlers['rules.open'](null), { accountId: 'jo', existing: 'upload' });
    expect(await handlers['rules.import'](wish)).toEqual({ kind: 'imported', count: 1 });
    expect(asked()?.detail).toContain(north.folder);
    expect(saved).toEqual([[{ ...north, accountId: 'jo', on: false }, true]]);
    await granted.check([north.folder]);
  });

  it('are not kept without that', async () => {
    dialog.showMessageBox.mockResolvedValue({ response: 1 });
    const { handlers, saved } = house();
    const wish = wishFor(await handlers['rules.open'](null));
    await expect(handlers['rules.import'](wish)).rejects.toMatchObject({ code: 'path-not-given' });
    expect(saved).toEqual([]);
  });

  it('are asked about for where they move things, too', async () => {
    const afterSuccess = { kind: 'move' as const, folder: join(folder, 'done') };
    await writeFile(file, rulesFileText([{ ...north, afterSuccess }]));
    const { handlers, granted } = house();
    granted.grant([north.folder]);
    await handlers['rules.import'](wishFor(await handlers['rules.open'](null)));
    expect(asked()?.detail).toContain(afterSuccess.folder);
  });

  it('go to another folder without a question where the person has chosen it in the system’s dialog', async () => {
    const { handlers, granted, saved } = house();
    const here = join(folder, 'here');
    granted.grant([here]);
    await handlers['rules.import'](wishFor(await handlers['rules.open'](null), { folder: here }));
    expect(saved).toMatchObject([[{ folder: here }, false]]);
    expect(asked()).toBeUndefined();
  });

  it('are refused for the one that can’t be kept, and none is', async () => {
    const south = { ...north, id: 'south', name: 'South', folder: join(folder, 'south') };
    await writeFile(file, rulesFileText([north, south]));
    const { handlers, removed } = house([], 'South');
    expect(await handlers['rules.import'](wishFor(await handlers['rules.open'](null)))).toMatchObject({
      kind: 'refused',
      index: 1,
      error: { code: 'watch-folder-nested' },
    });
    expect(removed).toEqual(['north']);
  });

  it('are refused before anything is asked where the administrator does not allow the folder', async () => {
    const { handlers } = house([], north.folder);
    expect(await handlers['rules.import'](wishFor(await handlers['rules.open'](null)))).toMatchObject({
      kind: 'refused',
      index: 0,
      error: { code: 'watch-folder-outside' },
    });
    expect(asked()).toBeUndefined();
  });

  it('come from the file that was opened last, and for accounts that are here or that it names', async () => {
    const { handlers, saved } = house();
    const before = wishFor(await handlers['rules.open'](null));
    const wish = wishFor(await handlers['rules.open'](null));
    const refused = { code: 'input-invalid' };
    await expect(handlers['rules.import'](before)).rejects.toMatchObject(refused);
    const [one] = wish.rules;
    for (const other of [{ index: 7 }, { accountId: 'nobody' }])
      await expect(
        handlers['rules.import']({ ...wish, rules: one ? [{ ...one, ...other }] : [] }),
      ).rejects.toMatchObject(refused);
    expect(saved).toEqual([]);
  });
});
