import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountService } from '../../../../main/account/model/model.ts';
import type { ServiceApi } from '../../../../main/service/model.ts';
import { allowInBrowser } from '../../../service/person.ts';
import { type Computer, setUpComputer } from '../signed-in.ts';

let computer: Computer;
let account: AccountService;
let service: ServiceApi;
beforeEach(async () => {
  computer = await setUpComputer();
  account = computer.launch({
    openBrowser: async (page) => account.handleCallback(await allowInBrowser(page)),
  }).account;
  await account.signIn(computer.address);
  service = account.serviceFor(computer.accountId);
});
afterEach(() => computer.tearDown());

const refreshes = () => computer.requestsAt('/oauth/token').length - 1;

it('account’s tokens: stores tokens after rotation, which survive a restart', async () => {
  computer.service.control.expireAccessTokens();
  await service.listAssets();
  account.stop();
  const nextAccount = computer.launch().account;
  await nextAccount.start();
  computer.service.control.expireAccessTokens();
  expect(await nextAccount.serviceFor(computer.accountId).listAssets()).toEqual([]);
  expect(refreshes()).toBe(2);
});

it('account’s tokens: keeps tokens after a truncated refresh answer and tries the spent refresh token once', async () => {
  computer.service.control.expireAccessTokens();
  computer.service.control.addFault({
    match: { room: 'api', path: '/oauth/token' },
    action: { kind: 'cut-answer', afterBytes: 0 },
  });
  await expect(service.listAssets()).rejects.toMatchObject({ code: 'service-unreachable' });
  expect(account.state().kind).toBe('signed-in');
  await expect(service.listAssets()).rejects.toMatchObject({ code: 'invalid-credentials' });
  await expect(service.listAssets()).rejects.toMatchObject({ code: 'not-signed-in' });
  expect(refreshes()).toBe(2);
});

it('account’s tokens: keeps tokens if the service lost the registration, and registers again', async () => {
  computer.service.control.expireAccessTokens();
  computer.service.control.addFault({
    match: { room: 'api', path: '/oauth/token' },
    action: { kind: 'status', status: 401, body: '{"error":"invalid_client"}' },
  });
  const registrations = computer.requestsAt('/oauth/register').length;
  expect(await service.listAssets()).toEqual([]);
  expect(computer.requestsAt('/oauth/register')).toHaveLength(registrations + 1);
});

it.each([
  ['a year ahead', 365 * 24 * 3_600_000],
  ['a year behind', -365 * 24 * 3_600_000],
])('the account’s tokens work with a clock that is %s', async (_, ms) => {
  computer.clock.advance(ms);
  expect(await service.listAssets()).toEqual([]);
  computer.service.control.expireAccessTokens();
  expect(await service.listAssets()).toEqual([]);
  computer.clock.advance(-ms);
  computer.service.control.expireAccessTokens();
  expect(await service.listAssets()).toEqual([]);
  expect(account.state().kind).toBe('signed-in');
});

it('account’s tokens: deletes tokens at sign-out, also from disk', async () => {
  expect(await readFile(computer.vaultFile, 'utf8')).toContain('tokens:');
  account.signOut();
  expect(account.state()).toEqual({ kind: 'signed-out', error: null });
  await expect(service.listAssets()).rejects.toMatchObject({ code: 'not-signed-in' });
  expect(await readFile(computer.vaultFile, 'utf8')).not.toContain('tokens:');
  const nextAccount = computer.launch().account;
  await nextAccount.start();
  expect(nextAccount.state().kind).toBe('signed-out');
});
