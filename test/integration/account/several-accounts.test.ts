import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountService } from '../../../main/account/model/model.ts';
import type { Tilelift } from '../../../main/app.ts';
import { allowInBrowser } from '../../service/person.ts';
import { composeForTest } from '../compose-for-test.ts';
import { type Computer, setUpComputer } from './signed-in.ts';

/** Two services; Tilelift runs on the first one's computer. */
let firstComputer: Computer;
let secondComputer: Computer;
let account: AccountService;
beforeEach(async () => {
  firstComputer = await setUpComputer();
  secondComputer = await setUpComputer();
  account = launch();
  await account.signIn(firstComputer.address);
  await account.signIn(secondComputer.address);
});
afterEach(async () => {
  await firstComputer.tearDown();
  await secondComputer.tearDown();
});

function launch(): AccountService {
  const launched: AccountService = firstComputer.launch({
    openBrowser: async (page) => launched.handleCallback(await allowInBrowser(page)),
  }).account;
  return launched;
}
const ids = () => account.accounts().map(({ id }) => id);
const lostIds = () => account.signedOutAccounts().flatMap(({ id, isLost }) => (isLost ? [id] : []));
const current = () => {
  const state = account.state();
  return state.kind === 'signed-in' ? state.account.id : state.kind;
};
const expectWorks = async (id: string) => expect(await account.serviceFor(id).listAssets()).toEqual([]);

it('accounts of several services: signs in to several services side by side, with the last one current', async () => {
  expect(ids()).toEqual([firstComputer.accountId, secondComputer.accountId]);
  expect(current()).toBe(secondComputer.accountId);
  await expectWorks(firstComputer.accountId);
  await expectWorks(secondComputer.accountId);
});

it('accounts of several services: restores them after a restart, registers at each and keeps the current one', async () => {
  account.switchTo(firstComputer.accountId);
  account.stop();
  const registrations = [firstComputer, secondComputer].map(
    (computer) => computer.requestsAt('/oauth/register').length,
  );
  account = launch();
  await account.start();
  expect(ids()).toEqual([firstComputer.accountId, secondComputer.accountId]);
  expect(current()).toBe(firstComputer.accountId);
  await expectWorks(secondComputer.accountId);
  await expect
    .poll(() =>
      [firstComputer, secondComputer].map((computer) => computer.requestsAt('/oauth/register').length),
    )
    .toEqual(registrations.map((count) => count + 1));
});

it('accounts of several services: don’t sign each other out', async () => {
  account.signOut(firstComputer.accountId);
  expect(current()).toBe(secondComputer.accountId);
  expect(ids()).toEqual([secondComputer.accountId]);
  await expectWorks(secondComputer.accountId);
  await expect(account.serviceFor(firstComputer.accountId).listAssets()).rejects.toMatchObject({
    code: 'not-signed-in',
  });
  expect(await readFile(firstComputer.vaultFile, 'utf8')).not.toContain(`tokens:${firstComputer.accountId}`);
});

it('accounts of several services replace the current account when it signs out, until none is left', async () => {
  account.signOut();
  expect(account.state()).toEqual({
    kind: 'signed-in',
    account: { id: firstComputer.accountId, address: firstComputer.address },
  });
  expect(account.current()).toBe(firstComputer.accountId);
  account.signOut();
  expect(account.state()).toEqual({ kind: 'signed-out', error: null });
});

it('accounts of several services report one that its service ended without affecting the others', async () => {
  firstComputer.service.control.expireAccessTokens();
  firstComputer.service.control.revokeRefreshTokens();
  await expect(account.serviceFor(firstComputer.accountId).listAssets()).rejects.toThrow();
  expect(account.state()).toMatchObject({ kind: 'signed-in', account: { id: secondComputer.accountId } });
  expect(lostIds()).toEqual([firstComputer.accountId]);
  expect(ids()).toEqual([secondComputer.accountId]);
  await expectWorks(secondComputer.accountId);
});

it('accounts of several services keep the lost current account current after a restart, so that no other gets its assets', async () => {
  secondComputer.service.control.expireAccessTokens();
  secondComputer.service.control.revokeRefreshTokens();
  await expect(account.serviceFor(secondComputer.accountId).listAssets()).rejects.toThrow();
  expect([current(), account.current()]).toEqual([firstComputer.accountId, null]);
  account.stop();
  account = launch();
  await account.start();
  expect([current(), account.current()]).toEqual([firstComputer.accountId, null]);
  account.switchTo(firstComputer.accountId);
  expect(account.current()).toBe(firstComputer.accountId);
});

it('accounts of several services notify listeners when an account that isn’t current is lost', () => {
  const accountCounts: number[] = [];
  account.onChange(() => accountCounts.push(account.accounts().length));
  account.signOut(firstComputer.accountId);
  expect(accountCounts).toEqual([1]);
});

describe('lost sign-in', () => {
  const loseAll = async () => {
    for (const { service, accountId } of [firstComputer, secondComputer]) {
      service.control.expireAccessTokens();
      service.control.revokeRefreshTokens();
      await expect(account.serviceFor(accountId).listAssets()).rejects.toThrow();
    }
  };

  it('lost sign-in: marks it, also after a restart, until the next sign-in', async () => {
    expect(lostIds()).toEqual([]);
    await loseAll();
    expect(account.state()).toMatchObject({ kind: 'signed-out', error: { code: 'invalid-credentials' } });
    expect(lostIds()).toEqual([firstComputer.accountId, secondComputer.accountId]);
    account.stop();
    account = launch();
    await account.start();
    expect(lostIds()).toEqual([firstComputer.accountId, secondComputer.accountId]);
    await account.signIn(secondComputer.address);
    expect(lostIds()).toEqual([firstComputer.accountId]);
    expect(current()).toBe(secondComputer.accountId);
  });

  it('lost sign-in: isn’t reported after the user signed out', async () => {
    account.signOut();
    account.signOut();
    expect(lostIds()).toEqual([]);
    account.stop();
    account = launch();
    await account.start();
    expect(lostIds()).toEqual([]);
    expect(account.signedOutAccounts().map(({ id }) => id)).toEqual([
      firstComputer.accountId,
      secondComputer.accountId,
    ]);
  });
});

/** A complete Tilelift on the computer of the first service. */
function compose(): Tilelift {
  const tilelift: Tilelift = composeForTest(join(dirname(firstComputer.vaultFile), 'user-data'), {
    openBrowser: async (page) => tilelift.accounts.handleCallback(await allowInBrowser(page)),
  });
  return tilelift;
}

async function town() {
  const source = join(dirname(firstComputer.vaultFile), 'Town');
  await mkdir(source);
  await writeFile(join(source, 'town.gml'), '<CityModel/>');
  const body = { name: 'Town', type: '3DTILES', options: { sourceType: 'CITYGML' } } as const;
  return { accountId: firstComputer.accountId, paths: [source], body, acceptForecast: false };
}

it('marks waiting jobs of a signed-out account and starts them in turn after the sign-in', async () => {
  const tilelift = compose();
  const waitingFacts = { status: 'queued', waitingFor: 'sign-in', error: { code: 'not-signed-in' } };
  try {
    await tilelift.start();
    const request = await town();
    const [firstJob, secondJob] = [tilelift.jobs.add(request), tilelift.jobs.add(request)];
    expect(tilelift.jobs.get(firstJob)).toMatchObject(waitingFacts);
    firstComputer.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 1_000 },
      action: { kind: 'hold' },
    });

    await tilelift.accounts.signIn(firstComputer.address);
    await expect.poll(() => tilelift.jobs.get(firstJob)?.status, { timeout: 20_000 }).toBe('uploading');
    expect(tilelift.jobs.get(secondJob)).toMatchObject({ status: 'queued', waitingFor: 'turn', error: null });

    tilelift.accounts.signOut();
    expect(tilelift.jobs.get(secondJob)).toMatchObject(waitingFacts);
    expect(tilelift.jobs.get(firstJob)).toMatchObject({ status: 'uploading', waitingFor: null });

    await tilelift.accounts.signIn(firstComputer.address);
    expect(tilelift.jobs.get(secondJob)).toMatchObject({ waitingFor: 'turn' });
  } finally {
    firstComputer.service.control.clearFaults();
    await tilelift.stop();
  }
}, 30_000);
