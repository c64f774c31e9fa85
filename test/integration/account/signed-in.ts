import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountServiceOptions, OAuthAccounts } from '../../../main/account/account-service.ts';
import type { AccountService, SignInState } from '../../../main/account/model/model.ts';
import { accountIdOf } from '../../../main/account/model/model.ts';
import { createVault } from '../../../main/account/vault/encrypted-vault.ts';
import type { ServiceAddress } from '../../../main/service/model.ts';
import type { EmbeddedService, ServiceSettings } from '../../service/model.ts';
import { allowInBrowser } from '../../service/person.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { manualClock, settingsInMemory, testCipher } from '../../unit/account/stand-ins.ts';

/**
 * The embedded service, and a computer's vault file, settings, clock and browser, which only records
 * addresses.
 */
export async function setUpComputer(serviceSettings: Partial<ServiceSettings> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-account-'));
  const service: EmbeddedService = await startEmbeddedService(serviceSettings);
  const address: ServiceAddress = { baseUrl: service.baseUrl, authUrl: service.authUrl };
  const vaultFile = join(folder, 'vault.json');
  const settings = settingsInMemory();
  const clock = manualClock(Date.now());
  const links: string[] = [];
  const running: AccountService[] = [];

  function launch(change: Partial<AccountServiceOptions> = {}) {
    const account = new OAuthAccounts({
      fetch,
      clock,
      settings,
      vault: createVault({ file: vaultFile, cipher: testCipher() }),
      openBrowser: async (link) => {
        links.push(link);
      },
      ...change,
    });
    const states: SignInState['kind'][] = [];
    account.onChange((state) => {
      if (states.at(-1) !== state.kind) states.push(state.kind);
    });
    running.push(account);
    return { account, states };
  }

  /** Signs in through the browser. */
  async function signIn(account: AccountService): Promise<void> {
    await account.signIn(address);
    await account.handleCallback(await allowInBrowser(linkOf(account)));
  }

  return {
    service,
    address,
    accountId: accountIdOf(address.baseUrl),
    vaultFile,
    settings,
    clock,
    links,
    launch,
    signIn,
    requestsAt: (path: string) =>
      service.control.requests().filter((request) => request.room === 'api' && request.path.startsWith(path)),
    tearDown: async () => {
      for (const account of running) account.stop();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The sign-in page's address. */
export function linkOf(account: AccountService): string {
  const state = account.state();
  if (state.kind !== 'waiting-for-browser') throw new Error(`no link while ${state.kind}`);
  return state.link;
}

export type Computer = Awaited<ReturnType<typeof setUpComputer>>;
