import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountService } from '../../../main/account/model/model.ts';
import type { Tilelift } from '../../../main/app.ts';
import { allowInBrowser } from '../../service/person.ts';
import { composeForTest } from '../compose-for-test.ts';
import { type Computer, setUpComputer } from './signed-in.ts';

/** Two services; Tilelift runs on the first one's computer. */
let first: Computer;
let second: Computer;
let account: AccountService;
beforeEach(async () => {
  first = await setUpComputer();
  second = await setUpComputer();
  account = launch();
  await account.signIn(first.address);
  await account.signIn(second.address);
});
afterEach(async () => {
  await first.tearDown();
  await second.tearDown();
});

function launch(): AccountService {
  const launched: AccountService = first.launch({
    openBrowser: async (page) => launched.handleCallback(await allowInBrowser(page)),
  }).account;
  return launched;
}
const ids = () => account.accounts().map(({ id }) => id);
const lost = () => account.signedOutAccounts().flatMap(({ id, isLost }) => (isLost ? [id] : []));
const current = () => {
  const state = account.state();
  return state.kind === 'signed-in' ? state.account.id : state.kind;
};
const works = async (id: string) => expect(await account.serviceFor(id).listAssets()).toEqual([]);

describe('accounts of several services', () => {
  it('signs in to several services side by side, with the last one current', async () => {
    expect(ids()).toEqual([first.accountId, second.accountId]);
    expect(current()).toBe(second.accountId);
    await works(first.accountId);
    await works(second.accountId);
  });

  it('restores accounts of several services after a restart, registers at each and keeps the current one', async () => {
    account.switchTo(first.accountId);
    account.stop();
    const registrations = [first, second].map((computer) => computer.requestsAt('/oauth/register').length);
    account = launch();
    await account.start();
    expect(ids()).toEqual([first.accountId, second.accountId]);
    expect(current()).toBe(first.accountId);
    await works(second.accountId);
    await expect
      .poll(() => [first, second].map((computer) => computer.requestsAt('/oauth/register').length))
      .toEqual(registrations.map((count) => count + 1));
  });

  it('don’t sign each other out', async () => {
    account.signOut(first.accountId);
    expect(current()).toBe(second.accountId);
    expect(ids()).toEqual([second.accountId]);
    await works(second.accountId);
    await expect(account.serviceFor(first.accountId).listAssets()).rejects.toMatchObject({
      code: 'not-signed-in',
    });
    expect(await readFile(first.vaultFile, 'utf8')).not.toContain(`tokens:${first.accountId}`);
  });

  it('accounts of several services replace the current account when it signs out, until none is left', async () => {
    account.signOut();
    expect(account.state()).toEqual({
      kind: 'signed-in',
      account: { id: first.accountId, address: first.address },
    });
    expect(account.current()).toBe(first.accountId);
    account.signOut();
    expect(account.state()).toEqual({ kind: 'signed-out', error: null });
  });

  it('accounts of several services report one that its service ended without affecting the others', async () => {
    first.service.control.expireAccessTokens();
    first.service.control.revokeRefreshTokens();
    await expect(account.serviceFor(first.accountId).listAssets()).rejects.toThrow();
    expect(account.state()).toMatchObject({
      kind: 'signed-in',
      account: { id: second.accountId },
    });
    expect(lost()).toEqual([first.accountId]);
    expect(ids()).toEqual([second.accountId]);
    await works(second.accountId);
  });

  it('accounts of several services keep the lost current account current after a restart, so that no other gets its assets', async () => {
    second.service.control.expireAccessTokens();
    second.service.control.revokeRefreshTokens();
    await expect(account.serviceFor(second.accountId).listAssets()).rejects.toThrow();
    expect([current(), account.current()]).toEqual([first.accountId, null]);
    account.stop();
    account = launch();
    await account.start();
    expect([current(), account.current()]).toEqual([first.accountId, null]);
    account.switchTo(first.accountId);
    expect(account.current()).toBe(first.accountId);
  });

  it('accounts of several services notify listeners when an account that isn’t current is lost', () => {
    const accountCounts: number[] = [];
    account.onChange(() => accountCounts.push(account.accounts().length));
    account.signOut(first.accountId);
    expect(accountCounts).toEqual([1]);
  });
});

describe('lost sign-in', () => {
  const loseAll = async () => {
    for (const { service, accountId } of [first, second]) {
      service.control.expireAccessTokens();
      service.control.revokeRefreshTokens();
      await expect(account.serviceFor(accountId).listAssets()).rejects.toThrow();
    }
  };

  it('marks a lost sign-in, also after a restart, until the next sign-in', async () => {
    expect(lost()).toEqual([]);
    await loseAll();
    expect(account.state()).toMatchObject({ kind: 'signed-out', error: { code: 'invalid-credentials' } });
    expect(lost()).toEqual([first.accountId, second.accountId]);
    account.stop();
    account = launch();
    await account.start();
    expect(lost()).toEqual([first.accountId, second.accountId]);
    await account.signIn(second.address);
    expect(lost()).toEqual([first.accountId]);
    expect(current()).toBe(second.accountId);
  });

  it('reports no lost sign-in after the user signed out', async () => {
    account.signOut();
    account.signOut();
    expect(lost()).toEqual([]);
    account.stop();
    account = launch();
    await account.start();
    expect(lost()).toEqual([]);
    expect(account.signedOutAccounts().map(({ id }) => id)).toEqual([first.accountId, second.accountId]);
  });
});

/** A complete Tilelift on the computer of the first service. */
function compose(): Tilelift {
  const tilelift: Tilelift = composeForTest(join(dirname(first.vaultFile), 'user-data'), {
    openBrowser: async (page) => tilelift.accounts.handleCallback(await allowInBrowser(page)),
  });
  return tilelift;
}

async function town() {
  const source = join(dirname(first.vaultFile), 'Town');
  await mkdir(source);
  await writeFile(join(source, 'town.gml'), '<CityModel/>');
  const body = { name: 'Town', type: '3DTILES', options: { sourceType: 'CITYGML' } } as const;
  return { accountId: first.accountId, paths: [source], body, acceptForecast: false };
}

it('marks waiting jobs of a signed-out account and starts them in turn after the sign-in', async () => {
  const tilelift = compose();
  const waits = { status: 'queued', waitingFor: 'sign-in', error: { code: 'not-signed-in' } };
  try {
    await tilelift.start();
    const request = await town();
    const [firstJob, secondJob] = [tilelift.jobs.add(request), tilelift.jobs.add(request)];
    expect(tilelift.jobs.get(firstJob)).toMatchObject(waits);
    first.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 1_000 },
      action: { kind: 'hold' },
    });

    await tilelift.accounts.signIn(first.address);
    await expect.poll(() => tilelift.jobs.get(firstJob)?.status, { timeout: 20_000 }).toBe('uploading');
    expect(tilelift.jobs.get(secondJob)).toMatchObject({ status: 'queued', waitingFor: 'turn', error: null });

    tilelift.accounts.signOut();
    expect(tilelift.jobs.get(secondJob)).toMatchObject(waits);
    expect(tilelift.jobs.get(firstJob)).toMatchObject({ status: 'uploading', waitingFor: null });

    await tilelift.accounts.signIn(first.address);
    expect(tilelift.jobs.get(secondJob)).toMatchObject({ waitingFor: 'turn' });
  } finally {
    first.service.control.clearFaults();
    await tilelift.stop();
  }
}, 30_000);
