import { EventEmitter } from 'node:events';
import type { App } from 'electron';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OAuthAccounts } from '../../main/account/account-service.ts';
import { watchForCallbacks } from '../../main/desktop/launch/arrivals.ts';
import { createLogTo } from '../../main/log.ts';
import type { Fetch } from '../../main/ports.ts';
import { manualClock, memoryVault, settingsInMemory } from '../unit/account/stand-ins.ts';
import { addresses, argumentVectors, type Recipe, readAddress } from './support/callback-recipes.ts';

const service = { baseUrl: 'https://api.example', authUrl: 'https://sign-in.example' };
const runs = { numRuns: 10_000 };

/**
 * Tilelift from the system's hand-over to the token endpoint, waiting for a callback; its surroundings are in
 * memory.
 */
async function waitingTilelift() {
  const lines: string[] = [];
  let exchanges = 0;
  const fetch: Fetch = async (input) => {
    if (String(input).endsWith('/oauth/register')) return Response.json({ client_id: 'dcr:1' });
    if (!String(input).endsWith('/oauth/token')) throw new Error(`Nobody asks for ${input}`);
    exchanges += 1;
    return Response.json({ access_token: 'at-0123456789', token_type: 'bearer' });
  };
  const account = new OAuthAccounts({
    fetch,
    clock: manualClock(),
    settings: settingsInMemory(),
    vault: memoryVault(),
    openBrowser: async () => {},
    log: createLogTo((line) => lines.push(line), 'debug'),
  });
  const system = new EventEmitter();
  const handled: Promise<void>[] = [];
  watchForCallbacks(system as unknown as App, []).listen((address) => {
    handled.push(account.handleCallback(address));
  });

  /** Returns the state of the pending request and begins one if needed. */
  const pendingState = async (): Promise<string> => {
    if (account.state().kind !== 'waiting-for-browser') {
      // Thousands of accounts would slow down each further sign-in.
      for (const { id } of account.accounts()) account.signOut(id);
      for (const { id } of account.signedOutAccounts()) account.forget(id);
      await account.signIn(service);
    }
    const state = account.state();
    if (state.kind !== 'waiting-for-browser') throw new Error(`not waiting but ${state.kind}`);
    return new URL(state.link).searchParams.get('state') ?? '';
  };

  /** Returns the exchanges begun and the log after handing something over. */
  const whatComesOf = async (handOver: () => unknown) => {
    const previous = exchanges;
    lines.length = 0;
    await handOver();
    await Promise.all(handled.splice(0));
    return { exchanges: exchanges - previous, log: lines.join('\n'), state: account.state() };
  };

  return { account, system, pendingState, whatComesOf };
}

function expectNoTrace(log: string, secrets: readonly string[], state: string): void {
  expect(log).not.toContain(state);
  expect(log).not.toMatch(/C0de[\w-]{28}/);
  // Shorter words may appear in a log by chance.
  for (const text of secrets.filter(({ length }) => length >= 20)) {
    expect(log).not.toContain(JSON.stringify(text).slice(1, -1));
  }
}

describe('deep links: 10,000 generated addresses and argument vectors', () => {
  it('S134: deep links sign in from a pasted address only for a well-formed callback of the pending request, without crashes or log entries', async () => {
    const { account, pendingState, whatComesOf } = await waitingTilelift();
    let granted = 0;
    await fc.assert(
      fc.asyncProperty(addresses, async (makeAddress) => {
        const state = await pendingState();
        const address = makeAddress(state);
        const { wellFormed, grantsFor } = readAddress(address);
        const outcome = await whatComesOf(() => account.handleCallback(address));
        expect(outcome.exchanges).toBe(grantsFor === state ? 1 : 0);
        granted += outcome.exchanges;
        // A malformed address leaves the request pending.
        expect(outcome.state.kind === 'waiting-for-browser').toBe(!wellFormed);
        expectNoTrace(outcome.log, [address], state);
      }),
      runs,
    );
    // Ensures that the generator produces valid callbacks.
    expect(granted).toBeGreaterThan(100);
  });

  it('S135: deep links ignore an address from the system unless it is a well-formed callback', async () => {
    const { system, pendingState, whatComesOf } = await waitingTilelift();
    await fc.assert(
      fc.asyncProperty(addresses, async (makeAddress) => {
        const state = await pendingState();
        const address = makeAddress(state);
        const { wellFormed, grantsFor } = readAddress(address);
        const outcome = await whatComesOf(() =>
          system.emit('open-url', { preventDefault: () => {} }, address),
        );
        expect(outcome.exchanges).toBe(grantsFor === state ? 1 : 0);
        if (!wellFormed) {
          expect(outcome.state).toMatchObject({ kind: 'waiting-for-browser', error: null });
          expect(outcome.log).toBe('');
        }
        expectNoTrace(outcome.log, [address], state);
      }),
      runs,
    );
  });

  it('S136: deep links ignore a launch unless exactly one argument is a well-formed callback', async () => {
    const { system, pendingState, whatComesOf } = await waitingTilelift();
    let granted = 0;
    await fc.assert(
      fc.asyncProperty(argumentVectors, async (vector: readonly Recipe[]) => {
        const state = await pendingState();
        const args = vector.map((makeAddress) => makeAddress(state));
        const ownReadings = args.map(readAddress).filter(({ wellFormed }) => wellFormed);
        const outcome = await whatComesOf(() => system.emit('second-instance', {}, args, '/'));
        const isOurs = ownReadings.length === 1 && ownReadings[0]?.grantsFor === state;
        expect(outcome.exchanges).toBe(isOurs ? 1 : 0);
        granted += outcome.exchanges;
        if (ownReadings.length !== 1)
          expect(outcome.state).toMatchObject({ kind: 'waiting-for-browser', error: null });
        expectNoTrace(outcome.log, args, state);
      }),
      runs,
    );
    expect(granted).toBeGreaterThan(100);
  });

  it('S137: deep links do nothing without a pending request', async () => {
    const { account, whatComesOf } = await waitingTilelift();
    await fc.assert(
      fc.asyncProperty(addresses, async (makeAddress) => {
        const outcome = await whatComesOf(() => account.handleCallback(makeAddress('a-state-of-nobody')));
        expect(outcome.exchanges).toBe(0);
        expect(outcome.state).toEqual({ kind: 'signed-out', error: null });
      }),
      runs,
    );
  });
});
