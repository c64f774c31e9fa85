import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ProgramParts } from '../../../../main/ipc/handlers/program-handlers.ts';
import { noPolicy } from '../../../../main/policy/policy.ts';
import { policyRuleId } from '../../../../main/watch/rules/policy-rules.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';

const dialog = vi.hoisted(() => ({ showOpenDialog: vi.fn(), showMessageBox: vi.fn() }));
vi.mock('electron', () => ({ dialog }));
const { forgetPrograms, programHandlers } = await import('../../../../main/ipc/handlers/program-handlers.ts');

let folder: string;
let file: string;
beforeEach(() => {
  vi.resetAllMocks();
  folder = realpathSync(temporaryFolder());
  file = join(folder, 'register');
  writeFileSync(file, '');
  dialog.showOpenDialog.mockResolvedValue({ filePaths: [file] });
});

const [agree, refuse] = [{ response: 0 }, { response: 1 }];

function setUp(watched = '/srv/incoming') {
  const settings = settingsInMemory();
  settings.update({ watchRules: [aWatchRule({ id: 'r', folder: watched })] });
  const parts: ProgramParts = { settings, policy: noPolicy, window: () => undefined };
  const calls = programHandlers(parts);
  const set = (program: { file: string; arguments: string[] } | null) =>
    calls['programs.set']({ id: 'r', when: 'success', program });
  return { settings, calls, set };
}

it('S114: programs of rules are refused without a question unless chosen in a system dialog', async () => {
  const { settings, set } = setUp();
  dialog.showMessageBox.mockResolvedValue(agree);
  await expect(set({ file: '/bin/sh', arguments: ['-c', 'evil'] })).rejects.toThrow('/bin/sh');
  expect(settings.get().programs).toEqual({});
  expect(dialog.showMessageBox).not.toHaveBeenCalled();
});

it('S93: programs of rules are refused for a rule of the policy, even with consent', async () => {
  const { settings, calls } = setUp();
  const id = policyRuleId('office');
  settings.update({ watchRules: [aWatchRule({ id, folder: '/srv/office' })] });
  await calls['programs.choose'](null);
  dialog.showMessageBox.mockResolvedValue(agree);
  const setting = calls['programs.set']({ id, when: 'success', program: { file, arguments: [] } });
  await expect(setting).rejects.toMatchObject({ code: 'set-by-policy' });
  expect(settings.get().programs).toEqual({});
});

it('programs of rules are set with arguments after consent in a system dialog that names them all', async () => {
  const { settings, calls, set } = setUp();
  await calls['programs.choose'](null);
  dialog.showMessageBox.mockResolvedValue(refuse);
  await expect(set({ file, arguments: ['{receipt}'] })).rejects.toThrow();
  expect(settings.get().programs).toEqual({});
  dialog.showMessageBox.mockResolvedValue(agree);
  await set({ file, arguments: ['{receipt}', 'two words'] });
  const { detail } = dialog.showMessageBox.mock.lastCall?.[0] ?? {};
  expect(detail).toContain(`${file}\n"{receipt}"\n"two words"`);
  expect(await calls['programs.of']('r')).toEqual({
    success: { file, arguments: ['{receipt}', 'two words'] },
    failure: null,
  });
});

it('S115: programs of rules need new consent for other arguments', async () => {
  const { calls, set } = setUp();
  await calls['programs.choose'](null);
  dialog.showMessageBox.mockResolvedValue(agree);
  await set({ file, arguments: [] });
  dialog.showMessageBox.mockResolvedValue(refuse);
  await expect(set({ file, arguments: ['--delete-everything'] })).rejects.toThrow();
  expect((await calls['programs.of']('r')).success?.arguments).toEqual([]);
});

it('programs of rules are refused in a watched folder or behind a link to one, where others could replace them', async () => {
  const { calls, set } = setUp(folder);
  const outsideFolder = realpathSync(temporaryFolder());
  const link = join(outsideFolder, 'link');
  symlinkSync(file, link);
  dialog.showMessageBox.mockResolvedValue(agree);
  for (const path of [file, link]) {
    dialog.showOpenDialog.mockResolvedValue({ filePaths: [path] });
    await calls['programs.choose'](null);
    await expect(set({ file: path, arguments: [] })).rejects.toThrow('watched folder');
  }
});

it('programs of rules are forgotten with their rule', async () => {
  const { settings, calls, set } = setUp();
  await calls['programs.choose'](null);
  dialog.showMessageBox.mockResolvedValue(agree);
  await set({ file, arguments: [] });
  forgetPrograms(settings, 'r');
  expect(settings.get().programs).toEqual({});
});
