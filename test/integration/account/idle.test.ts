import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AccountService } from '../../../main/account/model/model.ts';
import type { Clock } from '../../../main/ports.ts';
import { allowInBrowser } from '../../service/person.ts';
import { type Computer, setUpComputer } from './signed-in.ts';

const day = 24 * 3_600_000;

let computer: Computer;
let account: AccountService;
/** Duration of the wait until the next check. */
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
      // Shorter waits are time limits of requests.
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
/** Advances the clock and waits until Tilelift has checked and sleeps again. */
async function restFor(ms: number) {
  const previousPauses = pauses;
  computer.clock.advance(ms);
  await vi.waitFor(() => expect(pauses).toBeGreaterThan(previousPauses));
}

it('unused sign-in: renews it while Tilelift is idle, well before its refresh token expires', async () => {
  for (let hours = 0; hours < 30 * 24; hours += 12) await restFor(day / 2);
  // Half of ten days each time, which is as often as Tilelift checks.
  expect(refreshes()).toBe(6);
  expect(account.state().kind).toBe('signed-in');
  expect(account.accounts()).toMatchObject([{ endsSoonAt: null }]);
});

it('unused sign-in: renews it when the computer wakes, since timers stand still in sleep', async () => {
  computer.clock.jump(8 * day);
  account.keepFresh();
  await vi.waitFor(() => expect(refreshes()).toBe(1));
});

it('unused sign-in: renews it at the next start', async () => {
  account.stop();
  computer.clock.jump(8 * day);
  const nextAccount = computer.launch().account;
  await nextAccount.start();
  await vi.waitFor(() => expect(refreshes()).toBe(1));
});

it('sign-in that can’t be renewed: warns all listeners days before a sign-in ends', async () => {
  await computer.tearDown();
  await signedIn({ accessTokenSeconds: (30 * day) / 1000 });
  const endsAt = computer.clock.now() + 30 * day;
  computer.service.control.revokeRefreshTokens();
  const onChange = vi.fn();
  account.onChange(onChange);
  computer.clock.jump(28 * day);
  account.keepFresh();

  await vi.waitFor(() => expect(onChange).toHaveBeenCalled());
  const [ending] = account.accounts();
  expect(Math.abs((ending?.endsSoonAt ?? 0) - endsAt)).toBeLessThan(1000);
  expect(account.state().kind).toBe('signed-in');
  expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
});

it('keeps a pending sign-in when the clock is set', async () => {
  await account.signIn(computer.address);
  computer.clock.jump(365 * day);
  await account.handleCallback(await allowInBrowser(computer.links.at(-1) ?? ''));
  expect(account.state()).toMatchObject({ kind: 'signed-in' });
  expect(account.state()).not.toHaveProperty('error');
});
