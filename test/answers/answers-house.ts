import { OAuthAccounts } from '../../main/account/account-service.ts';
import type { AccountService } from '../../main/account/model/model.ts';
import { accountIdOf } from '../../main/account/model/model.ts';
import type { JobServiceOptions } from '../../main/jobs/service/job-options.ts';
import type { ServiceAddress } from '../../main/service/model.ts';
import { TilingReads } from '../../main/tiling/tiling-reads.ts';
import { createStorageClient } from '../../main/workers/storage-client.ts';
import { type House, openHouse } from '../integration/jobs/house.ts';
import { allowInBrowser } from '../service/person.ts';
import { type MemoryVault, memoryVault, settingsInMemory } from '../unit/account/stand-ins.ts';
import { type AnswersClock, hurriedClock } from './clocks.ts';
import type { HttpsCertificates } from './https-setup.ts';

/** The service, an account signed in through the browser, and jobs that use it. */
export interface AnswersHouse extends House {
  readonly address: ServiceAddress;
  readonly accountId: string;
  readonly account: AccountService;
  readonly clock: AnswersClock;
  readonly reads: TilingReads;
  readonly accountVault: MemoryVault;
  /** Another Tilelift's account, whose user allows every request. A vault restarts the same one. */
  startAccount(vault?: MemoryVault): AccountService;
}

/** Jobs that send at the same time, because cases share a house. */
const maxSending = 6;
const pollMs = 10;

/** @param https makes the service use HTTPS */
export async function openAnswersHouse(
  https: HttpsCertificates | null,
  clock: AnswersClock = hurriedClock(),
  jobs: Partial<JobServiceOptions> = {},
): Promise<AnswersHouse> {
  const running: AccountService[] = [];
  const accountVault = memoryVault();
  const startAccount = (vault = memoryVault()) => {
    const account: AccountService = new OAuthAccounts({
      fetch,
      clock,
      vault,
      settings: settingsInMemory(),
      openBrowser: async (page) => account.handleCallback(await allowInBrowser(page)),
    });
    running.push(account);
    return account;
  };
  const account = startAccount(accountVault);
  const reads = new TilingReads({ serviceFor: (id) => account.serviceFor(id), clock, freshMs: pollMs });
  const house = await openHouse(
    { keepObjects: 'discard', ...https },
    {
      clock,
      maxSending,
      accounts: account,
      reads,
      pollMs,
      ...jobs,
      storageFor: (location) => createStorageClient(location, { workers: 1, currentTime: clock.now }),
    },
  );
  const address = { baseUrl: house.service.baseUrl, authUrl: house.service.authUrl };
  await account.signIn(address);
  const close = async () => {
    await house.close();
    for (const process of running) process.stop();
  };
  const accountId = accountIdOf(address.baseUrl);
  return { ...house, address, accountId, account, clock, reads, accountVault, startAccount, close };
}
