import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signInLifeMs } from '../../../main/account/model/authorization-request.ts';
import { createVault } from '../../../main/account/vault/encrypted-vault.ts';
import { createLogTo } from '../../../main/log.ts';
import type { Fetch } from '../../../main/ports.ts';
import { allowInBrowser } from '../../service/person.ts';
import { testCipher } from '../../unit/account/stand-ins.ts';
import { type Computer, linkOf, setUpComputer } from './signed-in.ts';

let computer: Computer;
beforeEach(async () => {
  computer = await setUpComputer();
});
afterEach(() => computer.tearDown());

const tokenRequests = () => computer.requestsAt('/oauth/token').length;

/** Requests tokens in the format of `accept` rather than Tilelift’s, and applies `change` to the response. */
function fetchTokensAs(accept: string, change: (body: string) => string = (body) => body): Fetch {
  return async (input, init) => {
    if (!String(input).endsWith('/oauth/token')) return fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set('accept', accept);
    const answer = await fetch(input, { ...init, headers });
    return new Response(change(await answer.text()), { status: answer.status });
  };
}

it('the sign-in opens the system browser and creates a working account', async () => {
  const { account, states } = computer.launch();
  await account.start();
  await account.signIn(computer.address);
  expect(computer.links).toEqual([linkOf(account)]);
  await account.handleCallback(await allowInBrowser(linkOf(account)));

  expect(account.state()).toEqual({
    kind: 'signed-in',
    account: { id: computer.accountId, address: computer.address },
  });
  expect(states).toEqual(['signed-out', 'starting', 'waiting-for-browser', 'exchanging', 'signed-in']);
  expect(computer.settings.get().currentService).toBe(computer.address.baseUrl);
  computer.service.control.seedAsset({ name: 'Ground', type: 'TERRAIN' });
  expect(await account.serviceFor(computer.accountId).listAssets()).toMatchObject([{ name: 'Ground' }]);
});

it('S10: the sign-in accepts callbacks of the service’s own issuer only, once the issuer is known', async () => {
  const { account } = computer.launch();
  const answer = async (iss: string) => {
    await account.signIn(computer.address);
    const callback = new URL(await allowInBrowser(linkOf(account)));
    callback.searchParams.set('iss', iss);
    await account.handleCallback(callback.href);
    return account.state();
  };
  const mismatch = { kind: 'signed-out', error: { code: 'sign-in-mismatch' } };
  for (const iss of ['https://genuine.example', 'nonsense', 'file:///127.0.0.1'])
    expect(await answer(iss)).toMatchObject(mismatch);
  expect(tokenRequests()).toBe(0);
  expect(await answer(computer.address.authUrl)).toMatchObject({ kind: 'signed-in' });
  account.signOut();
  expect(await answer('https://genuine.example')).toMatchObject(mismatch);
  expect(await answer(computer.address.authUrl)).toMatchObject({ kind: 'signed-in' });
});

it('the sign-in survives a start without the service, and registers at a start with it', async () => {
  const firstLaunch = computer.launch();
  await computer.signIn(firstLaunch.account);
  firstLaunch.account.stop();
  const registrations = computer.requestsAt('/oauth/register').length;
  await computer.launch().account.start();
  await expect.poll(() => computer.requestsAt('/oauth/register').length).toBe(registrations + 1);

  await computer.service.stop();
  const warnings: string[] = [];
  const { account } = computer.launch({ log: createLogTo((line) => warnings.push(line), 'warn') });
  await account.start();
  await expect.poll(() => warnings.join('')).toContain('Registration failed');
  expect(account.state().kind).toBe('signed-in');
});

it('the sign-in completes with a callback that starts the program', async () => {
  const firstLaunch = computer.launch();
  await firstLaunch.account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(firstLaunch.account));
  firstLaunch.account.stop();
  const { account } = computer.launch();
  await account.start();
  expect(account.state().kind).toBe('waiting-for-browser');
  await account.handleCallback(callback);
  expect(account.state().kind).toBe('signed-in');
});

it('the sign-in ends once with a recreated keychain, which leaves no data behind', async () => {
  const firstLaunch = computer.launch();
  await computer.signIn(firstLaunch.account);
  firstLaunch.account.stop();
  const anew = () => ({ vault: createVault({ file: computer.vaultFile, cipher: testCipher(2) }) });
  const { account } = computer.launch(anew());
  await account.start();
  expect(account.state()).toMatchObject({ kind: 'signed-out', error: { code: 'sign-in-unreadable' } });
  expect(account.accounts()).toEqual([]);
  expect(await readFile(computer.vaultFile, 'utf8')).not.toContain('tokens:');
  account.stop();
  const nextAccount = computer.launch(anew()).account;
  await nextAccount.start();
  expect(nextAccount.state()).toEqual({ kind: 'signed-out', error: null });
  await computer.signIn(nextAccount);
  expect(nextAccount.state().kind).toBe('signed-in');
});

it('the sign-in exposes no secret in its file, in the log or to the rest of Tilelift', async () => {
  const lines: string[] = [];
  const answers: string[] = [];
  const { account } = computer.launch({
    log: createLogTo((line) => lines.push(line), 'debug'),
    fetch: fetchTokensAs('application/json', (body) => {
      answers.push(body);
      return body;
    }),
  });
  await account.start();
  await account.signIn(computer.address);
  const waitingVault = await readFile(computer.vaultFile, 'utf8');
  const callback = await allowInBrowser(linkOf(account));
  const state = new URL(callback).searchParams.get('state') ?? 'no state';
  await account.handleCallback('tilelift://oauth/callback?nonsense');
  await account.handleCallback(callback);
  await account.handleCallback(callback);
  computer.service.control.expireAccessTokens();
  await account.serviceFor(computer.accountId).listAssets();

  const code = new URL(callback).searchParams.get('code') ?? 'no code';
  const tokens = answers.flatMap((body): string[] => {
    const { access_token, refresh_token } = JSON.parse(body);
    return [access_token, refresh_token];
  });
  expect(tokens).toHaveLength(4);
  const storedVault = await readFile(computer.vaultFile, 'utf8');
  expect(lines.length).toBeGreaterThan(5);
  for (const secret of [state, code, ...tokens]) {
    expect(secret.length).toBeGreaterThan(8);
    for (const text of [waitingVault, storedVault, lines.join(''), JSON.stringify(account.state())]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4));
    }
  }
});

it('several sign-ins at once end with the last one, whatever order their pages answer in', async () => {
  const { account } = computer.launch();
  await Promise.all([1, 2, 3].map(() => account.signIn(computer.address)));
  expect(computer.links).toHaveLength(1);
  await account.handleCallback(await allowInBrowser(linkOf(account)));
  expect(account.state().kind).toBe('signed-in');
  expect(tokenRequests()).toBe(1);
});

it('several sign-ins at once start while the code of an earlier one is exchanged', async () => {
  const { account } = computer.launch();
  await account.signIn(computer.address);
  const earlierCallback = await allowInBrowser(linkOf(account));
  const stall = { match: { room: 'api', path: '/oauth/token' }, action: { kind: 'stall' } } as const;
  computer.service.control.addFault(stall);
  const handled = account.handleCallback(earlierCallback);
  await expect.poll(tokenRequests).toBe(1);
  await account.signIn(computer.address);
  await handled;
  expect(account.state().kind).toBe('waiting-for-browser');
  await account.handleCallback(await allowInBrowser(linkOf(account)));
  expect(account.state().kind).toBe('signed-in');
});

it('failing sign-in: expires after ten minutes and exchanges nothing for a later callback', async () => {
  const { account } = computer.launch();
  await account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(account));
  computer.clock.advance(signInLifeMs);
  await expect
    .poll(() => account.state())
    .toMatchObject({ kind: 'signed-out', error: { code: 'sign-in-timed-out' } });
  await account.handleCallback(callback);
  expect(account.state().kind).toBe('signed-out');
  expect(tokenRequests()).toBe(0);
});

it('failing sign-in: resumes no expired sign-in at a start', async () => {
  const firstLaunch = computer.launch();
  await firstLaunch.account.signIn(computer.address);
  firstLaunch.account.stop();
  computer.clock.advance(signInLifeMs);
  const { account } = computer.launch();
  await account.start();
  expect(account.state()).toEqual({ kind: 'signed-out', error: null });
});

it('failing sign-in: exchanges a callback once, also after a restart', async () => {
  const firstLaunch = computer.launch();
  await firstLaunch.account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(firstLaunch.account));
  await Promise.all([
    firstLaunch.account.handleCallback(callback),
    firstLaunch.account.handleCallback(callback),
  ]);
  firstLaunch.account.signOut();
  firstLaunch.account.stop();
  const { account } = computer.launch();
  await account.start();
  await account.handleCallback(callback);
  expect(account.state().kind).toBe('signed-out');
  expect(tokenRequests()).toBe(1);
});

it('failing sign-in: cancels a sign-in during the code exchange and stores nothing', async () => {
  const { account } = computer.launch();
  await account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(account));
  computer.service.control.addFault({
    match: { room: 'api', path: '/oauth/token' },
    action: { kind: 'stall' },
  });
  const handled = account.handleCallback(callback);
  expect(account.state().kind).toBe('exchanging');
  account.cancelSignIn();
  await handled;
  expect(account.state()).toEqual({ kind: 'signed-out', error: null });
  expect(await readFile(computer.vaultFile, 'utf8')).not.toMatch(/tokens:|pending/);
});

it('failing sign-in: keeps its link if the browser doesn’t open, and accepts the pasted address', async () => {
  const { account } = computer.launch({ openBrowser: () => Promise.reject(new Error('no browser')) });
  await account.signIn(computer.address);
  expect(account.state()).toMatchObject({ error: { code: 'browser-not-opened' } });
  await account.handleCallback('https://example.com/');
  expect(account.state()).toMatchObject({
    kind: 'waiting-for-browser',
    error: { code: 'sign-in-address-invalid' },
  });
  await account.handleCallback(` ${await allowInBrowser(linkOf(account))}\n`);
  expect(account.state().kind).toBe('signed-in');
});

it('failing sign-in: uses the previous client ID if the service can’t be reached', async () => {
  const firstLaunch = computer.launch();
  await firstLaunch.account.signIn(computer.address);
  const clientId = new URL(linkOf(firstLaunch.account)).searchParams.get('client_id');
  firstLaunch.account.stop();
  const unreachableFetch: Fetch = async () => {
    throw new TypeError('fetch failed');
  };
  const { account } = computer.launch({ fetch: unreachableFetch });
  await account.signIn(computer.address);
  expect(new URL(linkOf(account)).searchParams.get('client_id')).toBe(clientId);
});

it('failing sign-in: reopens its page at the same address', async () => {
  const { account } = computer.launch();
  await account.signIn(computer.address);
  await account.openAgain();
  expect(computer.links).toEqual([linkOf(account), linkOf(account)]);
  await account.handleCallback(await allowInBrowser(linkOf(account)));
  await account.openAgain();
  expect(computer.links).toHaveLength(2);
});

it('failing sign-in: resumes no sign-in after the clock was set back beyond its lifetime', async () => {
  const firstLaunch = computer.launch();
  await firstLaunch.account.signIn(computer.address);
  firstLaunch.account.stop();
  computer.clock.advance(-24 * 3_600_000);
  const { account } = computer.launch();
  await account.start();
  expect(account.state()).toEqual({ kind: 'signed-out', error: null });
});

it('failing sign-in: rejects an unsafe address and changes nothing', async () => {
  const { account, states } = computer.launch();
  const badAddress = { baseUrl: 'http://api.example.com', authUrl: 'https://example.com' };
  await expect(account.signIn(badAddress)).rejects.toMatchObject({ code: 'service-address-invalid' });
  expect(states).toEqual([]);
});
