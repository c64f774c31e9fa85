import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountService } from '../../../../main/account/model.ts';
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
const breakRefresh = (status: number) =>
  computer.service.control.addFault({
    match: { room: 'api', path: '/oauth/token' },
    action: { kind: 'status', status },
  });

describe('account’s tokens', () => {
  it('are refreshed once when 20 callers are refused together', async () => {
    computer.service.control.expireAccessTokens();
    const lists = await Promise.all(Array.from({ length: 20 }, () => service.listAssets()));
    expect(lists).toEqual(Array(20).fill([]));
    expect(refreshes()).toBe(1);
  });

  it('are refreshed shortly before they expire', async () => {
    await service.listAssets();
    expect(refreshes()).toBe(0);
    computer.clock.advance(28 * 24 * 3_600_000);
    await service.listAssets();
    await service.listAssets();
    expect(refreshes()).toBe(1);
    expect(computer.requestsAt('/v1/assets').every(({ status }) => status === 200)).toBe(true);
  });

  it('are stored after rotation and survive a restart', async () => {
    computer.service.control.expireAccessTokens();
    await service.listAssets();
    account.stop();
    const next = computer.launch().account;
    await next.start();
    computer.service.control.expireAccessTokens();
    expect(await next.serviceFor(computer.accountId).listAssets()).toEqual([]);
    expect(refreshes()).toBe(2);
  });

  it('are deleted once the service refuses the refresh, and jobs wait for a sign-in', async () => {
    computer.service.control.revokeRefreshTokens();
    computer.service.control.expireAccessTokens();
    await expect(service.listAssets()).rejects.toMatchObject({
      code: 'invalid-credentials',
      retryable: false,
    });
    expect(account.state()).toMatchObject({ kind: 'signed-out', error: { code: 'invalid-credentials' } });
    await expect(service.listAssets()).rejects.toMatchObject({ code: 'not-signed-in' });
    expect(await readFile(computer.vaultFile, 'utf8')).not.toContain('tokens:');

    await account.signIn(computer.address);
    expect(await service.listAssets()).toEqual([]);
  });

  it.each([503, 429, 403, 407])('are kept after a refresh answered with a bare %i', async (status) => {
    computer.service.control.expireAccessTokens();
    breakRefresh(status);
    await expect(service.listAssets()).rejects.toMatchObject({ retryable: true });
    expect(account.state().kind).toBe('signed-in');
    expect(await service.listAssets()).toEqual([]);
  });

  it('are kept after a truncated refresh answer, and the spent refresh token is tried once', async () => {
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

  it('are kept if the service lost the registration, which is repeated', async () => {
    computer.service.control.expireAccessTokens();
    computer.service.control.addFault({
      match: { room: 'api', path: '/oauth/token' },
      action: { kind: 'status', status: 401, body: '{"error":"invalid_client"}' },
    });
    const registrations = computer.requestsAt('/oauth/register').length;
    expect(await service.listAssets()).toEqual([]);
    expect(computer.requestsAt('/oauth/register')).toHaveLength(registrations + 1);
  });

  it('are used until they expire after one refused early refresh', async () => {
    computer.service.control.revokeRefreshTokens();
    computer.clock.advance(28 * 24 * 3_600_000);
    for (let call = 0; call < 3; call++) expect(await service.listAssets()).toEqual([]);
    expect(refreshes()).toBe(1);
    computer.service.control.expireAccessTokens();
    await expect(service.listAssets()).rejects.toMatchObject({ code: 'invalid-credentials' });
    expect(account.state()).toMatchObject({ kind: 'signed-out', error: { code: 'invalid-credentials' } });
    expect(refreshes()).toBe(1);
  });

  it('are refreshed after the access token expired, also after a restart', async () => {
    account.stop();
    computer.service.control.expireAccessTokens();
    computer.clock.advance(40 * 24 * 3_600_000);
    const next = computer.launch().account;
    await next.start();
    expect(await next.serviceFor(computer.accountId).listAssets()).toEqual([]);
    expect(refreshes()).toBe(1);
  });

  it.each([
    ['a year ahead', 365 * 24 * 3_600_000],
    ['a year behind', -365 * 24 * 3_600_000],
  ])('work with a clock that is %s', async (_, ms) => {
    computer.clock.advance(ms);
    expect(await service.listAssets()).toEqual([]);
    computer.service.control.expireAccessTokens();
    expect(await service.listAssets()).toEqual([]);
    computer.clock.advance(-ms);
    computer.service.control.expireAccessTokens();
    expect(await service.listAssets()).toEqual([]);
    expect(account.state().kind).toBe('signed-in');
  });

  it('are kept when the connection breaks during a refresh', async () => {
    computer.service.control.expireAccessTokens();
    computer.service.control.addFault({
      match: { room: 'api', path: '/oauth/token' },
      action: { kind: 'cut-request', afterBytes: 0 },
    });
    await expect(service.listAssets()).rejects.toMatchObject({ code: 'service-unreachable' });
    expect(account.state().kind).toBe('signed-in');
    expect(await service.listAssets()).toEqual([]);
  });

  it('are deleted at sign-out, also from disk', async () => {
    expect(await readFile(computer.vaultFile, 'utf8')).toContain('tokens:');
    account.signOut();
    expect(account.state()).toEqual({ kind: 'signed-out', error: null });
    await expect(service.listAssets()).rejects.toMatchObject({ code: 'not-signed-in' });
    expect(await readFile(computer.vaultFile, 'utf8')).not.toContain('tokens:');
    const next = computer.launch().account;
    await next.start();
    expect(next.state().kind).toBe('signed-out');
  });
});

it('ask for a sign-in once the refresh token has expired too', async () => {
  const short = await setUpComputer({ accessTokenSeconds: 0, refreshTokenSeconds: 0 });
  try {
    const tilelift = short.launch().account;
    await tilelift.signIn(short.address);
    await tilelift.handleCallback(await allowInBrowser(short.links.at(-1) ?? ''));
    await expect(tilelift.serviceFor(short.accountId).listAssets()).rejects.toMatchObject({
      code: 'invalid-credentials',
    });
    expect(tilelift.state()).toMatchObject({ kind: 'signed-out', error: { code: 'invalid-credentials' } });
    expect(short.requestsAt('/oauth/token')).toHaveLength(2);
  } finally {
    await short.tearDown();
  }
});
