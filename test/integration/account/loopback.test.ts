import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OnCallback, openLoopbackReceiver } from '../../../main/account/loopback-receiver.ts';
import type { AccountService } from '../../../main/account/model/model.ts';
import { allowInBrowser, followInBrowser } from '../../service/person.ts';
import { type Computer, linkOf, setUpComputer } from './signed-in.ts';

let computer: Computer;
beforeEach(async () => {
  computer = await setUpComputer();
});
afterEach(() => computer.tearDown());

/** A computer on which no program can be registered for our scheme. */
const withoutScheme = {
  openReceiver: (onCallback: OnCallback, port?: number) =>
    openLoopbackReceiver(onCallback, () => 'Back', port),
};

const settledAccount = (account: AccountService) =>
  vi.waitFor(() => expect(account.state().kind).toMatch(/^signed-/), { timeout: 10_000 });

it('sign-in where the scheme can’t be registered: returns by a loopback port that is registered next to the scheme', async () => {
  const { account } = computer.launch(withoutScheme);
  await account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(account));
  expect(callback).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\?code=/);
  expect((await followInBrowser(callback)).text).toBe('Back');
  await settledAccount(account);
  expect(account.state()).toMatchObject({ kind: 'signed-in', account: { id: computer.accountId } });
  expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
  await expect(followInBrowser(callback)).rejects.toThrow();
});

it('sign-in where the scheme can’t be registered: refreshes with the redirect address of the sign-in', async () => {
  const { account } = computer.launch(withoutScheme);
  await account.signIn(computer.address);
  await followInBrowser(await allowInBrowser(linkOf(account)));
  await settledAccount(account);
  computer.service.control.expireAccessTokens();
  expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
  expect(account.state().kind).toBe('signed-in');
});

it('sign-in where the scheme can’t be registered: accepts the browser’s return after a restart', async () => {
  const firstLaunch = computer.launch(withoutScheme);
  await firstLaunch.account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(firstLaunch.account));
  firstLaunch.account.stop();
  await expect(followInBrowser(callback)).rejects.toThrow();
  const { account } = computer.launch(withoutScheme);
  await account.start();
  await followInBrowser(callback);
  await settledAccount(account);
  expect(account.state().kind).toBe('signed-in');
});

it('S13: sign-in where the scheme can’t be registered: keeps waiting after a callback with another state and exchanges nothing', async () => {
  const { account } = computer.launch(withoutScheme);
  await account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(account));
  for (const state of ['x'.repeat(43), null]) {
    const forged = new URL(callback);
    if (state === null) forged.searchParams.delete('state');
    else forged.searchParams.set('state', state);
    expect((await followInBrowser(forged.href)).status).toBe(404);
  }
  expect(account.state()).toMatchObject({ kind: 'waiting-for-browser', error: null });
  expect(computer.requestsAt('/oauth/token')).toHaveLength(0);
  expect((await followInBrowser(callback)).status).toBe(200);
  await settledAccount(account);
  expect(account.state().kind).toBe('signed-in');
});

it('sign-in where the scheme can’t be registered: accepts the pasted address and exchanges nothing for another state or the scheme', async () => {
  const { account } = computer.launch(withoutScheme);
  await account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(account));
  await account.handleCallback(callback.replace(/^[^?]+/, 'tilelift://oauth/callback'));
  expect(account.state()).toMatchObject({
    kind: 'waiting-for-browser',
    error: { code: 'sign-in-address-invalid' },
  });
  await account.handleCallback(callback);
  expect(account.state().kind).toBe('signed-in');
  await account.signIn(computer.address);
  const forged = new URL(await allowInBrowser(linkOf(account)));
  forged.searchParams.set('state', 'x'.repeat(43));
  const tokenRequests = computer.requestsAt('/oauth/token').length;
  await account.handleCallback(forged.href);
  expect(account.state()).toMatchObject({ error: { code: 'sign-in-mismatch' } });
  expect(computer.requestsAt('/oauth/token')).toHaveLength(tokenRequests);
});

it('sign-in where the scheme can’t be registered: closes the port when the user cancels', async () => {
  const { account } = computer.launch(withoutScheme);
  await account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(account));
  account.cancelSignIn();
  await expect(followInBrowser(callback)).rejects.toThrow();
});

it('sign-in where the scheme can’t be registered: returns by the scheme if no port can be opened', async () => {
  const openReceiver = () => Promise.reject(new Error('EACCES'));
  const { account } = computer.launch({ openReceiver });
  await account.signIn(computer.address);
  const callback = await allowInBrowser(linkOf(account));
  expect(callback).toMatch(/^tilelift:/);
  await account.handleCallback(callback);
  expect(account.state().kind).toBe('signed-in');
});

it('sign-in where the scheme can’t be registered: uses the scheme for the user’s own client, which was registered with it', async () => {
  computer.settings.update({ clientIds: { [computer.address.baseUrl]: '1001' } });
  const { account } = computer.launch(withoutScheme);
  await account.signIn(computer.address);
  expect(await allowInBrowser(linkOf(account))).toMatch(/^tilelift:/);
});

describe('avoidScheme()', () => {
  /** A computer whose browser refuses to open our scheme despite its registration. */
  const withScheme = (listen: typeof openLoopbackReceiver = openLoopbackReceiver) => ({
    openReceiver: async (onCallback: OnCallback, port?: number) =>
      port === undefined ? null : listen(onCallback, () => 'Back', port),
  });

  it('avoidScheme() signs in by a loopback port and exchanges nothing for callbacks of the replaced request', async () => {
    const { account } = computer.launch(withScheme());
    await account.signIn(computer.address);
    expect(account.state()).toMatchObject({ returnsByScheme: true });
    const replacedCallback = await allowInBrowser(linkOf(account));
    await account.avoidScheme();
    expect(account.state()).toMatchObject({ kind: 'waiting-for-browser', returnsByScheme: false });
    expect(computer.links).toHaveLength(2);
    const callback = await allowInBrowser(linkOf(account));
    const foreignCallback = new URL(callback);
    foreignCallback.search = new URL(replacedCallback).search;
    expect((await followInBrowser(foreignCallback.href)).status).toBe(404);
    await account.handleCallback(replacedCallback);
    expect(computer.requestsAt('/oauth/token')).toHaveLength(0);
    expect((await followInBrowser(callback)).text).toBe('Back');
    await settledAccount(account);
    expect(account.state()).toMatchObject({ kind: 'signed-in', account: { id: computer.accountId } });
    await account.handleCallback(callback);
    expect(computer.requestsAt('/oauth/token')).toHaveLength(1);
  });

  it('avoidScheme() ends late callbacks ten minutes after the restart', async () => {
    const { account } = computer.launch(withScheme());
    await account.signIn(computer.address);
    await account.avoidScheme();
    const callback = await allowInBrowser(linkOf(account));
    computer.clock.advance(10 * 60_000);
    await account.handleCallback(callback);
    expect(account.state()).toMatchObject({ kind: 'signed-out', error: { code: 'sign-in-timed-out' } });
    expect(computer.requestsAt('/oauth/token')).toHaveLength(0);
  });

  it('avoidScheme() fails if no port can be opened', async () => {
    const { account } = computer.launch(withScheme(() => Promise.reject(new Error('EACCES'))));
    await account.signIn(computer.address);
    await account.avoidScheme();
    expect(account.state()).toMatchObject({ kind: 'signed-out', error: { code: 'sign-in-port-blocked' } });
  });
});
