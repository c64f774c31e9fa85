import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { firstAnswers, loadStartupState } from '../../../main/desktop/startup-state.ts';
import { TileliftError } from '../../../main/errors.ts';
import { silentLog } from '../../../main/log.ts';
import type { PolicyState } from '../../../main/policy/policy.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const openedPolicy = vi.hoisted((): { policy: PolicyState } => ({ policy: { kind: 'none' } }));
vi.mock('../../../main/policy/open-policy.ts', () => ({ openPolicy: async () => openedPolicy.policy }));
vi.mock('electron', () => ({
  safeStorage: { getSelectedStorageBackend: () => 'gnome_libsecret', isEncryptionAvailable: () => true },
}));

let folder: string;
beforeEach(() => {
  openedPolicy.policy = { kind: 'none' };
  folder = temporaryFolder();
});

const app = () =>
  ({
    isPackaged: false,
    getPath: () => folder,
    getVersion: () => '1.2.3',
    commandLine: { hasSwitch: () => false },
  }) as unknown as App;
const answers = async (onDrawn = () => {}) => firstAnswers(await loadStartupState(app(), silentLog), onDrawn);
const writeSettings = (name: string, content: unknown) =>
  writeFile(join(folder, name), JSON.stringify(content));
const account = { id: 'a', baseUrl: 'https://api.example.com', name: null, number: 1, signedOut: true };

describe('firstAnswers()', () => {
  it('firstAnswers() describes this start from the settings', async () => {
    await writeSettings('settings.json', { appearance: 'dark', compactRows: true });
    const info = await (await answers())['app.info']?.();
    expect(info).toMatchObject({
      version: '1.2.3',
      keychain: 'in-use',
      appearance: 'dark',
      compactRows: true,
    });
  });

  it('firstAnswers() reports a signed-out state when no account was ever stored', async () => {
    const state = (await answers())['account.state'];
    expect(await state?.()).toEqual({ kind: 'signed-out', error: null, signedOut: [] });
  });

  it.each([
    ['settings name an account', 'settings.json', { accounts: [account] }],
    ['settings name a service', 'settings.json', { currentService: account.baseUrl }],
    ['something is in the vault', 'vault.json', { version: 1, entries: {} }],
    ['a crash has left a vault', 'vault.json.new', { version: 1, entries: {} }],
  ])('firstAnswers() omits the account state when %s', async (_where, name, content) => {
    await writeSettings(name, content);
    expect((await answers())['account.state']).toBeUndefined();
  });

  const path = '/etc/tilelift/policy.json';
  const error = new TileliftError('policy-not-json', { subject: path });
  it.each<PolicyState>([
    { kind: 'unusable', path, error },
    { kind: 'in-force', path, policy: {} },
  ])(
    'firstAnswers() omits the account state under a policy ($kind), which may report an error',
    async (policy) => {
      openedPolicy.policy = policy;
      expect((await answers())['account.state']).toBeUndefined();
    },
  );

  it('firstAnswers() reports that the screen is drawn', async () => {
    const onDrawn = vi.fn();
    await (await answers(onDrawn))['app.drawn']?.();
    expect(onDrawn).toHaveBeenCalledOnce();
  });
});
