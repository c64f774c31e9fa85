import { expect, it } from 'vitest';
import type { FileRuleView, ImportedView, RulesFileView } from '../../../../preload/contract.ts';
import { type Api, ApiError } from '../../../../renderer/api.ts';
import { RulesImportState } from '../../../../renderer/state/rules-import.svelte.ts';

const rule: FileRuleView = {
  name: 'North',
  folder: '/data/north',
  unit: { kind: 'entries' },
  kindFrom: 'rule',
  sourceType: '3D_CAPTURE',
  isThere: true,
  accountId: 'mara',
  replaces: null,
};
const awayRule = { ...rule, name: 'South', folder: '/data/south', isThere: false };
const file: RulesFileView = {
  kind: 'rules',
  id: 'file',
  path: '/home/mara/rules.json',
  rules: [rule, awayRule],
};
const nestedError = { code: 'watch-folder-nested' as const, retryable: false };

/** A sheet on a file, with the requests it sent. */
async function sheet(answer: ImportedView | Error = { kind: 'imported', count: 1 }) {
  const wished: unknown[] = [];
  const api = {
    call: async (name: string, input: unknown) => {
      if (name === 'rules.open') return file;
      if (name === 'watch.pickFolder') return { path: '/data/here', isNetworkDrive: false };
      wished.push(input);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as Api;
  const state = new RulesImportState(api);
  await state.open();
  return { state, wished };
}

it('the import sheet offers all rules with their accounts, replacing and leaving existing files', async () => {
  const { state } = await sheet();
  expect(state.drafts).toMatchObject([
    { isSelected: true, accountId: 'mara', replace: true, existing: 'leave' },
    { isSelected: true },
  ]);
});

it('the import sheet imports nothing while a selected rule lacks a folder', async () => {
  const { state, wished } = await sheet({ kind: 'imported', count: 2 });
  expect(await state.submit()).toBeNull();
  expect([state.hasSubmitted, wished.length]).toEqual([true, 0]);
  await state.pickFolder(1);
  state.change(0, { accountId: 'jo', replace: false, existing: 'upload' });
  expect(await state.submit()).toBe(2);
  expect(wished).toEqual([
    {
      file: 'file',
      rules: [
        { index: 0, accountId: 'jo', folder: null, replace: false, existing: 'upload' },
        { index: 1, accountId: 'mara', folder: '/data/here', replace: true, existing: 'leave' },
      ],
    },
  ]);
  expect(state.file).toBeNull();
});

it('the import sheet imports only selected rules, whatever the others lack', async () => {
  const { state, wished } = await sheet();
  state.change(1, { isSelected: false });
  expect(await state.submit()).toBe(1);
  expect(wished).toMatchObject([{ rules: [{ index: 0 }] }]);
});

it('the import sheet shows the reason at a refused rule until it is changed', async () => {
  const { state } = await sheet({ kind: 'refused', index: 0, error: nestedError });
  state.change(1, { isSelected: false });
  expect(await state.submit()).toBeNull();
  expect(state.refusal).toEqual({ index: 0, error: nestedError });
  expect(state.file).not.toBeNull();
  state.change(1, { existing: 'upload' });
  expect(state.refusal).not.toBeNull();
  state.change(0, { existing: 'upload' });
  expect(state.refusal).toBeNull();
});

it('the import sheet shows the reason when the user declined a folder', async () => {
  const { state } = await sheet(new ApiError(nestedError));
  state.change(1, { isSelected: false });
  expect(await state.submit()).toBeNull();
  expect(state.refusal).toMatchObject({ index: null, error: { code: nestedError.code } });
  expect(state.importing).toBe(false);
});
