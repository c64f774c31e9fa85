import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowInBrowser } from '../../../service/person.ts';
import { type Computer, setUpComputer } from '../signed-in.ts';

let computer: Computer;
beforeEach(async () => {
  computer = await setUpComputer();
});
afterEach(() => computer.tearDown());

const makeToken = (...scopes: string[]) => computer.service.control.makeAccessToken(scopes);
const fullToken = () => makeToken('assets:list', 'assets:read', 'assets:write');

describe('access token from the account’s settings', () => {
  it('access token from the account’s settings: signs in without browser, registration or token endpoint, and survives a restart', async () => {
    const firstAccount = computer.launch().account;
    const token = fullToken();
    await firstAccount.useAccessToken(computer.address, ` ${token}\n`);
    expect(firstAccount.accounts()).toMatchObject([{ id: computer.accountId, signedInBy: 'access-token' }]);
    expect(await readFile(computer.vaultFile, 'utf8')).not.toContain(token);
    firstAccount.stop();
    const { account } = computer.launch();
    await account.start();
    expect(account.state().kind).toBe('signed-in');
    expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
    expect(computer.links).toEqual([]);
    expect(computer.requestsAt('/oauth')).toEqual([]);
  });

  it('an account with an access token from its settings never refreshes it and asks for a sign-in when it expires', async () => {
    const { account } = computer.launch();
    await account.useAccessToken(computer.address, fullToken());
    computer.clock.advance(365 * 24 * 3_600_000);
    expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
    computer.service.control.expireAccessTokens();
    await expect(account.serviceFor(computer.accountId).listAssets()).rejects.toMatchObject({
      code: 'invalid-credentials',
    });
    expect(account.state()).toMatchObject({ kind: 'signed-out', error: { code: 'invalid-credentials' } });
    expect(computer.requestsAt('/oauth/token')).toEqual([]);
  });

  it.each([
    ['unknown', () => 'never-made', 1],
    ['without the scope to read', () => makeToken('assets:list', 'assets:write'), 1],
    ['empty', () => ' ', 0],
    ['two lines', () => 'a\r\nx-evil: 1', 0],
    ['not ASCII', () => 'tökén', 0],
  ])(
    'access token from the account’s settings: rejects an access token that is %s, without revealing it or changing an account',
    async (_, token, requests) => {
      const { account } = computer.launch();
      await account.useAccessToken(computer.address, fullToken());
      const previousState = account.state();
      const requestCount = computer.requestsAt('/v1/assets').length;
      const refusedError = await account
        .useAccessToken(computer.address, token())
        .catch((error: unknown) => error);
      expect(refusedError).toMatchObject({ code: 'access-token-refused', retryable: false });
      expect(computer.requestsAt('/v1/assets')).toHaveLength(requestCount + requests);
      expect(account.state()).toEqual(previousState);
      expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
    },
  );

  it('access token from the account’s settings: signs in without the scope to list assets, which is reported when needed', async () => {
    const { account } = computer.launch();
    await account.useAccessToken(computer.address, makeToken('assets:read', 'assets:write'));
    expect(account.state().kind).toBe('signed-in');
    await expect(account.serviceFor(computer.accountId).listAssets()).rejects.toMatchObject({
      code: 'list-not-allowed',
    });
    expect(account.state().kind).toBe('signed-in');
  });

  it('access token from the account’s settings: ends a pending sign-in, and a later sign-in replaces it', async () => {
    const { account } = computer.launch();
    await account.signIn(computer.address);
    await account.useAccessToken(computer.address, fullToken());
    expect(account.state().kind).toBe('signed-in');
    await account.signIn(computer.address, computer.accountId);
    await account.handleCallback(await allowInBrowser(computer.links.at(-1) ?? ''));
    expect(account.accounts()).toMatchObject([{ id: computer.accountId, signedInBy: 'browser' }]);
  });

  it('access token from the account’s settings: drops an access token if a sign-in starts while it is verified', async () => {
    const { account } = computer.launch();
    computer.service.control.addFault({
      match: { room: 'api', path: '/v1/assets' },
      action: { kind: 'stall' },
    });
    const attempt = account.useAccessToken(computer.address, fullToken());
    const rejection = expect(attempt).rejects.toThrow();
    await account.signIn(computer.address);
    await rejection;
    expect(account.state().kind).toBe('waiting-for-browser');
    expect(account.accounts()).toEqual([]);
  });
});
