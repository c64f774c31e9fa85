import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { createGrantedPaths } from '../../../../main/ipc/granted-paths.ts';
import type { RulesParts } from '../../../../main/ipc/handlers/rules-import.ts';
import { callInputs } from '../../../../main/ipc/inputs.ts';
import { noPolicy } from '../../../../main/policy/policy.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import {
  type FaultyPolicyRule,
  policyRuleId,
  readPolicyRules,
} from '../../../../main/watch/rules/policy-rules.ts';
import { rulesFileText } from '../../../../main/watch/rules/rules-file.ts';
import { sayAll } from '../../../../renderer/say.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';

const dialog = vi.hoisted(() => ({ showSaveDialog: vi.fn() }));
vi.mock('electron', () => ({ dialog }));
const { rulesHandlers } = await import('../../../../main/ipc/handlers/rules-handlers.ts');

let folder: string;
let file: string;
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'tilelift-rules.json');
  dialog.showSaveDialog.mockReset();
});

function setUp(storedRules: readonly WatchRule[] = [], faultyRules: readonly FaultyPolicyRule[] = []) {
  const settings = settingsInMemory();
  settings.update({ watchRules: storedRules });
  const parts = {
    tilelift: { faultyRules },
    settings,
    granted: createGrantedPaths(() => []),
    policy: noPolicy,
    window: () => undefined,
  } as unknown as RulesParts;
  return { handlers: rulesHandlers(parts) };
}

it('the rule export writes the rules to the chosen file', async () => {
  const rule = aWatchRule({ folder });
  dialog.showSaveDialog.mockResolvedValue({ filePath: file });
  expect(await setUp([rule]).handlers['rules.export'](null)).toBe(file);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(rulesFileText([rule])));
});

it('the rule export writes a single rule under its own name', async () => {
  const north = aWatchRule({ id: 'north', name: 'North: ortho/2026', folder });
  const south = aWatchRule({ id: 'south', folder: join(folder, 'south') });
  dialog.showSaveDialog.mockResolvedValue({ filePath: file });
  const { handlers } = setUp([north, south]);
  expect(await handlers['rules.export']('north')).toBe(file);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(rulesFileText([north])));
  expect(dialog.showSaveDialog.mock.calls[0]?.at(-1)).toMatchObject({ defaultPath: 'North ortho 2026.json' });
  await expect(handlers['rules.export']('gone')).rejects.toMatchObject({ code: 'watch-rule-unknown' });
});

it('the rule export omits rules of the policy', async () => {
  const ownRule = aWatchRule({ id: 'north', folder });
  const lockedRule = aWatchRule({ id: policyRuleId('office'), folder: join(folder, 'office') });
  dialog.showSaveDialog.mockResolvedValue({ filePath: file });
  const { handlers } = setUp([ownRule, lockedRule]);
  await handlers['rules.export'](null);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(rulesFileText([ownRule])));
  await expect(handlers['rules.export'](lockedRule.id)).rejects.toMatchObject({ code: 'set-by-policy' });
});

it('the rule export lists unusable policy rules with their places, without a way to remove them', async () => {
  const faultyRules = readPolicyRules('{\n  "watchRules": [{ "name": "Office" }]\n}').faulty;
  const unreadableRules = await setUp([], faultyRules).handlers['rules.unreadable'](null);
  expect(unreadableRules).toMatchObject([{ name: 'Office', locked: true }]);
  expect(sayAll(unreadableRules[0]?.problems.slice(0, 1) ?? [])).toBe(
    'Line 2, column 18: watchRules[0].folder is missing',
  );
  expect(callInputs['rules.removeUnreadable'].safeParse(unreadableRules[0]?.id).success).toBe(false);
});
