import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountService } from '../../../main/account/model.ts';
import type { Clock } from '../../../main/ports.ts';
import { allowInBrowser } from '../../service/person.ts';
import { type Computer, setUpComputer } from './signed-in.ts';

const day = 24 * 3_600_000;

let computer: Computer;
let account: AccountService;
/** How often Tilelift has gone to rest until its next look. */
let pauses = 0;
async function signedIn(lives: {
  readonly accessTokenSeconds?: number;
  readonly refreshTokenSeconds?: number;
}) {
  computer = await setUpComputer(lives);
  const { clock } = computer;
  const counting: Clock = {
    ...clock,
    sleep: (ms, signal) => {
      // Shorter is a request's time limit.
      if (ms >= 60_000) pauses += 1;
      return clock.sleep(ms, signal);
    },
  };
  account = computer.launch({ clock: counting }).account;
  await account.start();
  await computer.signIn(account);
}
beforeEach(() => signedIn({ refreshTokenSeconds: (10 * day) / 1000 }));
afterEach(() => computer.tearDown());

const refreshes = () => computer.requestsAt('/oauth/token').length - 1;
/** Lets time go by, and waits until Tilelift has looked and rests again. */
async function rest(ms: number) {
  const before = pauses;
  computer.clock.advance(ms);
  await vi.waitFor(() => expect(pauses).toBeGreaterThan(before));
}

describe('unused sign-in', () => {
  it('is renewed while Tilelift is idle, well before its refresh token expires', async () => {
    for (let hours = 0; hours < 30 * 24; hours += 12) await rest(day / 2);
    // Half of ten days each time, as near as the looks are to each other.
    expect(refreshes()).toBe(6);
    expect(account.state().kind).toBe('signed-in');
    expect(account.accounts()).toMatchObject([{ endsSoonAt: null }]);
  });

  it('is renewed when the computer wakes, since timers stand still in sleep', async () => {
    computer.clock.jump(8 * day);
    account.keepFresh();
    await vi.waitFor(() => expect(refreshes()).toBe(1));
  });

  it('is renewed at the next start', async () => {
    account.stop();
    computer.clock.jump(8 * day);
    const next = computer.launch().account;
    await next.start();
    await vi.waitFor(() => expect(refreshes()).toBe(1));
  });

  it('survives failed renewals, which are retried sparingly', async () => {
    computer.service.control.addFault({
      match: { room: 'api', path: '/oauth/token', times: 3 },
      action: { kind: 'status', status: 400, body: '<html>Log in</html>' },
    });
    computer.clock.jump(8 * day);
    for (let call = 0; call < 5; call++) account.keepFresh();
    // As a form and as JSON.
    await vi.waitFor(() => expect(refreshes()).toBe(2));
    expect(account.state().kind).toBe('signed-in');
    computer.clock.advance(60_000);
    account.keepFresh();
    await vi.waitFor(() => expect(refreshes()).toBe(4));
    expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
  });
});

describe('sign-in that can’t be renewed', () => {
  it('is reported days ahead to all listeners', async () => {
    await computer.tearDown();
    await signedIn({ accessTokenSeconds: (30 * day) / 1000 });
    const endsAt = computer.clock.now() + 30 * day;
    computer.service.control.revokeRefreshTokens();
    const told = vi.fn();
    account.onChange(told);
    computer.clock.jump(28 * day);
    account.keepFresh();

    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    const [ending] = account.accounts();
    expect(Math.abs((ending?.endsSoonAt ?? 0) - endsAt)).toBeLessThan(1000);
    expect(account.state().kind).toBe('signed-in');
    expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
  });
});

it('keeps a pending sign-in when the clock is set', async () => {
  await account.signIn(computer.address);
  computer.clock.jump(365 * day);
  await account.handleCallback(await allowInBrowser(computer.links.at(-1) ?? ''));
  expect(account.state()).toMatchObject({ kind: 'signed-in' });
  expect(account.state()).not.toHaveProperty('error');
});

it.each([200, 302, 400, 401, 403, 404, 405, 407, 413, 415, 421, 451])(
  'keeps the sign-in when another server answers %i to a refresh or request',
  async (status) => {
    const body = '<html>Log in to Hotel Wi-Fi</html>';
    // `fetch` itself repeats what met 421, once.
    const times = status === 421 ? 2 : 1;
    computer.service.control.addFault({
      match: { room: 'api', path: '/v1/assets', times },
      action: { kind: 'status', status, body },
    });
    const api = account.serviceFor(computer.accountId);
    await expect(api.listAssets()).rejects.toMatchObject({ retryable: true });
    expect(refreshes()).toBe(0);

    computer.service.control.expireAccessTokens();
    computer.service.control.addFault({
      match: { room: 'api', path: '/oauth/token', times: status === 400 || status === 415 ? 2 : times },
      action: { kind: 'status', status, body },
    });
    await expect(api.listAssets()).rejects.toMatchObject({ retryable: true });
    expect(account.state().kind).toBe('signed-in');
    expect(await api.listAssets()).toEqual([]);
  },
);
