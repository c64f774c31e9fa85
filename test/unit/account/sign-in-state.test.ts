import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PendingSignIn } from '../../../main/account/model/authorization-request.ts';
import type { Callback } from '../../../main/account/model/callback.ts';
import type { Account } from '../../../main/account/model/model.ts';
import {
  initialSignIn,
  nextSignIn,
  publicState,
  type SignIn,
  type SignInEvent,
} from '../../../main/account/model/sign-in-state.ts';
import { toErrorRecord } from '../../../main/errors.ts';

const address = { baseUrl: 'https://api.example.com', authUrl: 'https://example.com' };
const account: Account = { id: 'acc', address };
const otherAccount: Account = { id: 'other', address };
const anyError = toErrorRecord(new Error('x'));
const pendingWith = (state: string, endsAt = 600): PendingSignIn => ({
  address,
  accountId: 'acc',
  clientId: 'dcr:1',
  redirectUri: 'tilelift://oauth/callback',
  state,
  verifier: 'v'.repeat(43),
  link: `https://example.com/oauth?state=${state}`,
  endsAt,
});
const granted = (state: string | null): Callback => ({ kind: 'granted', code: 'c', state, iss: null });
const callback = (value: Callback | null, now = 1, isForeign = false): SignInEvent => ({
  kind: 'callback',
  callback: value,
  isForeign,
  nowMs: now,
});
const run = (...events: SignInEvent[]): SignIn => events.reduce(nextSignIn, initialSignIn);

const begunEvent: SignInEvent = { kind: 'begun', attempt: 1, address, accountId: 'acc' };
const preparedEvent: SignInEvent = { kind: 'prepared', attempt: 1, pending: pendingWith('s1') };
const restoredAccount: SignInEvent = { kind: 'restored', attempt: 0, account, pending: null, error: null };
const endedEvent = (accountId: string, successor: Account | null = null): SignInEvent => ({
  kind: 'account-ended',
  accountId,
  error: anyError,
  successor,
});
const exchanged: SignInEvent = { kind: 'exchanged', attempt: 1, account };

it.each([
  ['another state', callback(granted('s2')), 'sign-in-mismatch'],
  ['no state', callback(granted(null)), 'sign-in-mismatch'],
  ['our state, from another issuer', callback(granted('s1'), 1, true), 'sign-in-mismatch'],
  ['our state, late', callback(granted('s1'), 600), 'sign-in-timed-out'],
  [
    'a denial',
    callback({ kind: 'refused', error: 'access_denied', description: null, state: 's1', iss: null }),
    'sign-in-denied',
  ],
  [
    'a denial that is not ours',
    callback({ kind: 'refused', error: 'access_denied', description: null, state: 'x', iss: null }),
    'sign-in-mismatch',
  ],
  [
    'another refusal',
    callback({ kind: 'refused', error: 'invalid_scope', description: 'no', state: 's1', iss: null }),
    'sign-in-failed',
  ],
  ['the end of its time', { kind: 'time', nowMs: 600 } as const, 'sign-in-timed-out'],
])('nextSignIn() ends with %s', (_, event, code) => {
  expect(run(begunEvent, preparedEvent, event)).toMatchObject({ kind: 'signed-out', error: { code } });
});

it('nextSignIn() ignores an attempt that a newer one replaced', () => {
  const newerState = run(begunEvent, { kind: 'begun', attempt: 2, address, accountId: 'acc' });
  for (const event of [preparedEvent, exchanged, { kind: 'failed', attempt: 1, error: anyError } as const]) {
    expect(nextSignIn(newerState, event)).toBe(newerState);
  }
  const waitingState = nextSignIn(newerState, { kind: 'prepared', attempt: 2, pending: pendingWith('s2') });
  expect(nextSignIn(waitingState, callback(granted('s1')))).toMatchObject({
    error: { code: 'sign-in-mismatch' },
  });
});

it('nextSignIn() returns to the previous account on failure', () => {
  expect(run(restoredAccount, begunEvent, preparedEvent, { kind: 'cancelled' })).toEqual({
    kind: 'signed-in',
    account,
    error: null,
  });
  expect(run(restoredAccount, begunEvent, preparedEvent, callback(granted('x')))).toMatchObject({
    kind: 'signed-in',
    account,
    error: { code: 'sign-in-mismatch' },
  });
});

it('nextSignIn() does not return to an account that ended meanwhile', () => {
  expect(run(restoredAccount, begunEvent, preparedEvent, endedEvent('acc'), { kind: 'cancelled' }).kind).toBe(
    'signed-out',
  );
});

it('nextSignIn() ends only with the end of its own account', () => {
  expect(nextSignIn(run(restoredAccount), endedEvent('acc')).kind).toBe('signed-out');
  const waitingState = run(restoredAccount, begunEvent, preparedEvent);
  expect(nextSignIn(waitingState, endedEvent('other'))).toBe(waitingState);
});

it('nextSignIn() continues with another signed-in account', () => {
  const state = run(restoredAccount);
  // The error is not the other account's.
  expect(nextSignIn(state, endedEvent('acc', otherAccount))).toEqual({
    kind: 'signed-in',
    account: otherAccount,
    error: null,
  });
  const newerState = nextSignIn(
    nextSignIn(run(restoredAccount, begunEvent, preparedEvent), endedEvent('acc', otherAccount)),
    { kind: 'cancelled' },
  );
  expect(newerState).toEqual({ kind: 'signed-in', account: otherAccount, error: null });
});

it('nextSignIn() ends when the user chooses an account, which becomes current', () => {
  const chosenEvent: SignInEvent = { kind: 'chosen', account: otherAccount };
  for (const state of [run(), run(restoredAccount), run(begunEvent, preparedEvent)]) {
    expect(nextSignIn(state, chosenEvent)).toEqual({ kind: 'signed-in', account: otherAccount, error: null });
  }
  const lateState = nextSignIn(run(begunEvent, preparedEvent, callback(granted('s1'))), chosenEvent);
  expect(nextSignIn(lateState, exchanged)).toBe(lateState);
});

it('nextSignIn() resumes where the last run stopped', () => {
  const restoredEvent: SignInEvent = {
    kind: 'restored',
    attempt: 1,
    account: null,
    pending: pendingWith('s1'),
    error: null,
  };
  expect(run(restoredEvent, callback(granted('s1'))).kind).toBe('exchanging');
});

it('nextSignIn() shows neither code, verifier nor state as a field', () => {
  for (const state of [
    run(begunEvent, preparedEvent),
    run(begunEvent, preparedEvent, callback(granted('s1'))),
  ]) {
    expect(Object.keys(publicState(state))).not.toEqual(expect.arrayContaining(['pending']));
    expect(JSON.stringify(publicState(state))).not.toContain('vvvvv');
  }
});

describe('nextSignIn() for any events', () => {
  const attempt = fc.integer({ min: 0, max: 1 });
  const stateWord = fc.constantFrom('s0', 's1');
  const nowMs = fc.constantFrom(0, 1, 999, 1000);
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const anyAccount = fc.constantFrom(account, otherAccount);
  const anyCallback: fc.Arbitrary<Callback> = fc.oneof(
    fc.record({
      kind: fc.constant('granted' as const),
      code: fc.constantFrom('c', 'd'),
      state: maybe(stateWord),
      iss: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant('refused' as const),
      error: fc.constantFrom('access_denied', 'server_error'),
      description: maybe(fc.string()),
      state: maybe(stateWord),
      iss: fc.constant(null),
    }),
  );
  const pendingSignIn = fc
    .tuple(stateWord, fc.constantFrom(1, 1000))
    .map(([state, endsAt]) => pendingWith(state, endsAt));
  /** Three in four events advance a sign-in; each may be wrong or untimely. */
  const forward: fc.Arbitrary<SignInEvent> = fc.oneof(
    fc.record({
      kind: fc.constant('begun' as const),
      attempt,
      address: fc.constant(address),
      accountId: fc.constant('acc'),
    }),
    fc.record({ kind: fc.constant('prepared' as const), attempt, pending: pendingSignIn }),
    fc.record({
      kind: fc.constant('callback' as const),
      callback: maybe(anyCallback),
      isForeign: fc.boolean(),
      nowMs,
    }),
    fc.record({ kind: fc.constant('exchanged' as const), attempt, account: anyAccount }),
  );
  const otherEvent: fc.Arbitrary<SignInEvent> = fc.oneof(
    fc.record({
      kind: fc.constant('restored' as const),
      attempt,
      account: maybe(anyAccount),
      pending: maybe(pendingSignIn),
      error: maybe(fc.constant(anyError)),
    }),
    fc.record({ kind: fc.constant('chosen' as const), account: anyAccount }),
    fc.record({ kind: fc.constant('dismissed' as const) }),
    fc.record({ kind: fc.constant('failed' as const), attempt, error: fc.constant(anyError) }),
    fc.record({ kind: fc.constant('browser' as const), attempt, error: maybe(fc.constant(anyError)) }),
    fc.record({ kind: fc.constant('time' as const), nowMs }),
    fc.record({ kind: fc.constant('cancelled' as const) }),
    fc.record({
      kind: fc.constant('account-ended' as const),
      accountId: fc.constantFrom('acc', 'other'),
      error: maybe(fc.constant(anyError)),
      successor: maybe(anyAccount),
    }),
  );
  const event = fc.oneof({ weight: 3, arbitrary: forward }, { weight: 1, arbitrary: otherEvent });

  it('nextSignIn() for any events exchanges only after a timely callback with the pending state', () => {
    let exchanges = 0;
    fc.assert(
      fc.property(fc.array(event, { minLength: 10, maxLength: 60, size: 'max' }), (events) => {
        let state: SignIn = initialSignIn;
        for (const happened of events) {
          const stateAfter = nextSignIn(state, happened);
          if (stateAfter.kind === 'exchanging' && state.kind !== 'exchanging') {
            exchanges += 1;
            if (state.kind !== 'waiting-for-browser' || happened.kind !== 'callback') {
              throw new Error(`exchanged from ${state.kind} by ${happened.kind}`);
            }
            expect(happened.callback).toEqual({
              kind: 'granted',
              code: stateAfter.code,
              state: state.pending.state,
              iss: null,
            });
            expect(happened.isForeign).toBe(false);
            expect(happened.nowMs).toBeLessThan(state.pending.endsAt);
          }
          publicState(stateAfter);
          state = stateAfter;
        }
      }),
      { numRuns: 2000 },
    );
    // Ensures that some runs exchange.
    expect(exchanges).toBeGreaterThan(20);
  });
});
