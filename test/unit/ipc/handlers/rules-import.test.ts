import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import { createGrantedPaths } from '../../../../main/ipc/granted-paths.ts';
import type { RulesParts } from '../../../../main/ipc/handlers/rules-import.ts';
import { callInputs } from '../../../../main/ipc/inputs.ts';
import { noPolicy } from '../../../../main/policy/policy.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { rulesFileText } from '../../../../main/watch/rules/rules-file.ts';
import type { ImportWishView, RulesFileView } from '../../../../preload/contract.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
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
  folder = temporaryFolder();
  file = join(folder, 'tilelift-rules.json');
  north = aWatchRule({ id: 'north', name: 'North', folder: join(folder, 'north'), accountId: 'stranger' });
  await mkdir(north.folder);
  vi.resetAllMocks();
  dialog.showOpenDialog.mockResolvedValue({ filePaths: [file] });
  dialog.showMessageBox.mockResolvedValue({ response: 0 });
});

function setUp(storedRules: readonly WatchRule[] = [], refuses?: string) {
  const settings = settingsInMemory();
  settings.update({ watchRules: storedRules });
  const granted = createGrantedPaths(() => settings.get().watchRules);
  const savedRules: [WatchRule, boolean][] = [];
  const removedIds: string[] = [];
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
        savedRules.push([rule, takeExisting]);
      },
      remove: (id: string) => removedIds.push(id),
    },
  };
  const parts = { tilelift, settings, granted, policy: noPolicy, window: () => undefined };
  const handlers = importHandlers(parts as unknown as RulesParts);
  return { handlers, granted, saved: savedRules, removed: removedIds };
}

/** Selects all rules of an opened file. */
function wishFor(openedFile: RulesFileView | null, change: Partial<ImportWishView['rules'][number]> = {}) {
  if (openedFile?.kind !== 'rules') throw new Error(JSON.stringify(openedFile));
  const rules = openedFile.rules.map(({ accountId }, index) => {
    return { index, accountId, folder: null, replace: true, existing: 'leave' as const, ...change };
  });
  const importWish = { file: openedFile.id, rules };
  expect(callInputs['rules.import'].safeParse(importWish).success).toBe(true);
  return importWish;
}

const question = () => dialog.showMessageBox.mock.calls[0]?.at(-1) as { detail: string } | undefined;

it('opening a rules file: shows notes on each rule and stores nothing', async () => {
  const south = { ...north, id: 'south', folder: join(folder, 'nowhere'), accountId: 'jo' };
  await writeFile(file, rulesFileText([north, south]));
  const { handlers, saved: savedRules } = setUp([{ ...north, name: 'Before' }]);
  const { unit, kindFrom, sourceType } = north;
  const createdRule = { unit, kindFrom, sourceType };
  expect(await handlers['rules.open'](null)).toEqual({
    kind: 'rules',
    id: expect.any(String),
    path: file,
    rules: [
      {
        ...createdRule,
        name: 'North',
        folder: north.folder,
        isThere: true,
        accountId: 'stranger',
        replaces: 'Before',
      },
      {
        ...createdRule,
        name: 'North',
        folder: south.folder,
        isThere: false,
        accountId: 'jo',
        replaces: null,
      },
    ],
  });
  expect(savedRules).toEqual([]);
});

it('opening a rules file: returns null when the user cancels', async () => {
  dialog.showOpenDialog.mockResolvedValue({ filePaths: [] });
  expect(await setUp().handlers['rules.open'](null)).toBeNull();
});

it('opening a rules file: reports every problem of an unusable file, offers a copy and imports nothing', async () => {
  await writeFile(file, rulesFileText([north, { ...north, id: 'b', name: '', foldr: 1 } as WatchRule]));
  const { handlers, saved: savedRules } = setUp();
  const openedFile = await handlers['rules.open'](null);
  expect(openedFile).toMatchObject({
    kind: 'problems',
    problems: [
      { line: expect.any(Number), field: 'rules[1].name', what: { key: 'rulesFile.problem.empty' } },
      { field: 'rules[1].foldr', what: { key: 'rulesFile.problem.unknown' } },
    ],
  });
  await handlers['rules.copyProblems'](null);
  const copied = expect.stringMatching(/Line \d+, column \d+: rules\[1\]\.name must not be empty\n/);
  expect(clipboard.writeText).toHaveBeenCalledWith(copied);
  const importWish = { file: openedFile?.id ?? '', rules: [] };
  await expect(handlers['rules.import'](importWish)).rejects.toMatchObject({ code: 'input-invalid' });
  expect(savedRules).toEqual([]);
});

describe('importing rules', () => {
  beforeEach(() => writeFile(file, rulesFileText([north])));

  it('S57: importing rules: stores them after consent to their folders in a system dialog', async () => {
    const { handlers, granted, saved: savedRules } = setUp();
    const importWish = wishFor(await handlers['rules.open'](null), { accountId: 'jo', existing: 'upload' });
    expect(await handlers['rules.import'](importWish)).toEqual({ kind: 'imported', count: 1 });
    expect(question()?.detail).toContain(north.folder);
    expect(savedRules).toEqual([[{ ...north, accountId: 'jo', on: false }, true]]);
    await granted.check([north.folder]);
  });

  it('importing rules stores nothing without consent', async () => {
    dialog.showMessageBox.mockResolvedValue({ response: 1 });
    const { handlers, saved: savedRules } = setUp();
    const importWish = wishFor(await handlers['rules.open'](null));
    await expect(handlers['rules.import'](importWish)).rejects.toMatchObject({ code: 'path-not-given' });
    expect(savedRules).toEqual([]);
  });

  it('S58: importing rules: asks for consent to the folders files move to', async () => {
    const afterSuccess = { kind: 'move' as const, folder: join(folder, 'done') };
    await writeFile(file, rulesFileText([{ ...north, afterSuccess }]));
    const { handlers, granted } = setUp();
    granted.grant([north.folder]);
    await handlers['rules.import'](wishFor(await handlers['rules.open'](null)));
    expect(question()?.detail).toContain(afterSuccess.folder);
  });

  it('importing rules: needs no consent for a folder chosen in a system dialog', async () => {
    const { handlers, granted, saved: savedRules } = setUp();
    const existingFolder = join(folder, 'here');
    granted.grant([existingFolder]);
    await handlers['rules.import'](wishFor(await handlers['rules.open'](null), { folder: existingFolder }));
    expect(savedRules).toMatchObject([[{ folder: existingFolder }, false]]);
    expect(question()).toBeUndefined();
  });

  it('importing rules: stores none when one can’t be stored', async () => {
    const south = { ...north, id: 'south', name: 'South', folder: join(folder, 'south') };
    await writeFile(file, rulesFileText([north, south]));
    const { handlers, removed: removedIds } = setUp([], 'South');
    expect(await handlers['rules.import'](wishFor(await handlers['rules.open'](null)))).toMatchObject({
      kind: 'refused',
      index: 1,
      error: { code: 'watch-folder-nested' },
    });
    expect(removedIds).toEqual(['north']);
  });

  it('importing rules: refuses a folder that the administrator forbids before asking', async () => {
    const { handlers } = setUp([], north.folder);
    expect(await handlers['rules.import'](wishFor(await handlers['rules.open'](null)))).toMatchObject({
      kind: 'refused',
      index: 0,
      error: { code: 'watch-folder-outside' },
    });
    expect(question()).toBeUndefined();
  });

  it('S59: importing rules: uses the last opened file and accounts that exist or that it names', async () => {
    const { handlers, saved: savedRules } = setUp();
    const wishBefore = wishFor(await handlers['rules.open'](null));
    const importWish = wishFor(await handlers['rules.open'](null));
    const refusedError = { code: 'input-invalid' };
    await expect(handlers['rules.import'](wishBefore)).rejects.toMatchObject(refusedError);
    const [wishedRule] = importWish.rules;
    for (const otherWish of [{ index: 7 }, { accountId: 'nobody' }])
      await expect(
        handlers['rules.import']({
          ...importWish,
          rules: wishedRule ? [{ ...wishedRule, ...otherWish }] : [],
        }),
      ).rejects.toMatchObject(refusedError);
    expect(savedRules).toEqual([]);
  });
});
