import { accountIdOf } from '../../main/account/account-id.ts';
import { createAccountService } from '../../main/account/account-service.ts';
import type { AccountService } from '../../main/account/model.ts';
import { type Clock, systemClock } from '../../main/outside.ts';
import { requestTimeoutMs } from '../../main/service/http-request.ts';
import type { ServiceAddress } from '../../main/service/model.ts';
import { createStorageClient } from '../../main/upload/storage-client.ts';
import { createMemoryVault, type House, type MemoryVault, openHouse } from '../integration/jobs/house.ts';
import { allowInBrowser } from '../service/person.ts';
import { memorySettings } from '../unit/account/stand-ins.ts';
import type { HttpsCertificates } from './https-setup.ts';

/** Real time, but nobody waits longer than this for a try or a poll. */
const longestWaitMs = 5;
const minute = 60_000;
/** A limit, not a pause, must not come early: that of a request, and that of a person at the browser. */
const isLimit = (ms: number) => ms === requestTimeoutMs || (ms > 9 * minute && ms <= 10 * minute);

export interface AnswersClock extends Clock {
  /** Puts the wall clock ahead. */
  advance(ms: number): void;
}

function hurriedClock(): AnswersClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    elapsed: () => systemClock.elapsed() + ahead,
    sleep: (ms, signal) => systemClock.sleep(isLimit(ms) ? ms : Math.min(ms, longestWaitMs), signal),
    advance: (ms) => {
      ahead += ms;
    },
  };
}

/** The service, somebody signed in to it in the browser, and jobs that go on with that sign-in. */
export interface AnswersHouse extends House {
  readonly address: ServiceAddress;
  readonly accountId: string;
  readonly account: AccountService;
  readonly clock: AnswersClock;
  /** What the account is kept in. */
  readonly accountVault: MemoryVault;
  /** Another Tilelift's sign-in; the person at its browser allows whatever is asked. With a vault: a later start of the same one. */
  startAccount(vault?: MemoryVault): AccountService;
}

/** Jobs that send at the same time: cases share a house. */
const lines = 6;

/** @param https with it the service speaks HTTPS */
export async function openAnswersHouse(https: HttpsCertificates | null): Promise<AnswersHouse> {
  const clock = hurriedClock();
  const running: AccountService[] = [];
  const accountVault = createMemoryVault();
  const startAccount = (vault = createMemoryVault()) => {
    const account: AccountService = createAccountService({
      fetch,
      clock,
      vault,
      settings: memorySettings(),
      openBrowser: async (page) => account.handleCallback(await allowInBrowser(page)),
    });
    running.push(account);
    return account;
  };
  const account = startAccount(accountVault);
  const house = await openHouse(
    {
      keepObjects: 'discard',
      ...https,
    },
    {
      clock,
      lines,
      accounts: account,
      storageFor: (location) => createStorageClient(location, { workers: 1, now: clock.now }),
    },
  );
  const address = { baseUrl: house.service.baseUrl, authUrl: house.service.authUrl };
  await account.signIn(address);
  const close = async () => {
    await house.close();
    for (const one of running) one.stop();
  };
  const accountId = accountIdOf(address.baseUrl);
  return { ...house, address, accountId, account, clock, accountVault, startAccount, close };
}
