import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createThrottle, TokenTaker, unlimitedTokens } from '../../../main/storage/throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = { now: () => Date.now() };

/** Bytes that two greedy workers get within this time. */
function drain(takers: readonly TokenTaker[], ms: number): number {
  let takenBytes = 0;
  for (let at = 0; at < ms; at += 10) {
    vi.advanceTimersByTime(10);
    for (const taker of takers) takenBytes += taker.takeBytes(64 * 1024);
  }
  return takenBytes;
}

it('createThrottle() passes everything without a limit', () => {
  const taker = new TokenTaker(unlimitedTokens());
  expect(taker.takeBytes(1_000_000)).toBe(1_000_000);
  const throttle = createThrottle(() => null, clock);
  const close = throttle.openThrottle();
  expect(new TokenTaker(throttle.tokens).takeBytes(5)).toBe(5);
  close();
});

it('createThrottle() gives all workers together exactly the limit', () => {
  const throttle = createThrottle(() => 1_000_000, clock);
  const close = throttle.openThrottle();
  const takers = [new TokenTaker(throttle.tokens), new TokenTaker(throttle.tokens)];
  expect(drain(takers, 10_000) / 10_000_000).toBeCloseTo(1, 1);
  close();
});

it('createThrottle() applies a new limit within a second', () => {
  let limit: number | null = 1_000;
  const throttle = createThrottle(() => limit, clock);
  const close = throttle.openThrottle();
  const taker = new TokenTaker(throttle.tokens);
  drain([taker], 1_000);
  limit = null;
  vi.advanceTimersByTime(1_000);
  expect(taker.takeBytes(1_000_000)).toBe(1_000_000);
  limit = 10;
  vi.advanceTimersByTime(1_000);
  expect(taker.takeBytes(1_000_000)).toBeLessThan(100);
  close();
});

it('createThrottle() allows no burst after a pause', () => {
  const throttle = createThrottle(() => 1_000_000, clock);
  const close = throttle.openThrottle();
  vi.advanceTimersByTime(60_000);
  expect(new TokenTaker(throttle.tokens).takeBytes(100_000_000)).toBeLessThanOrEqual(250_000);
  close();
});

it('createThrottle() works with a limit of a few bytes a second', () => {
  const throttle = createThrottle(() => 4, clock);
  const close = throttle.openThrottle();
  expect(drain([new TokenTaker(throttle.tokens)], 10_000)).toBeGreaterThanOrEqual(38);
  close();
});

it('createThrottle() wakes all waiting requests of a thread together, at most ten times a second, at the full rate', async () => {
  const rate = 2_500_000;
  const limit = vi.fn(() => rate);
  const throttle = createThrottle(limit, clock);
  const close = throttle.openThrottle();
  const threads = [new TokenTaker(throttle.tokens), new TokenTaker(throttle.tokens)];
  const turns = threads.map(() => new Set<Promise<void>>());
  const sentBytes: number[] = [];
  let isOver = false;
  async function send(flight: number, taker: TokenTaker, seenTurns: Set<Promise<void>>): Promise<void> {
    sentBytes[flight] = 0;
    while (!isOver) {
      const bytes = taker.takeBytes(64 * 1024);
      sentBytes[flight] += bytes;
      if (bytes > 0) {
        // Takes tokens while others wait.
        await null;
        continue;
      }
      const turn = taker.waitForTurn();
      seenTurns.add(turn);
      await turn;
    }
  }
  const flights = Array.from({ length: 8 }, (_, flight) => {
    const thread = flight % 2;
    return send(flight, threads[thread] as TokenTaker, turns[thread] as Set<Promise<void>>);
  });
  // The filling, and one timer for each thread, however many requests wait.
  expect(vi.getTimerCount()).toBe(3);

  await vi.advanceTimersByTimeAsync(30_000);

  expect(limit.mock.calls.length).toBeLessThanOrEqual(301);
  for (const seenTurns of turns) expect(seenTurns.size).toBeLessThanOrEqual(301);
  const totalBytes = sentBytes.reduce((sum, bytes) => sum + bytes, 0);
  expect(totalBytes).toBeLessThanOrEqual(rate * 30);
  expect(totalBytes).toBeGreaterThan(rate * 29);
  // No thread starves.
  for (const bytes of sentBytes) expect(bytes).toBeGreaterThan(totalBytes / sentBytes.length / 10);
  isOver = true;
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(flights);
  close();
});

it('createThrottle() needs no timer once all workers are closed', () => {
  const throttle = createThrottle(() => 1, clock);
  const closeFirst = throttle.openThrottle();
  const closeSecond = throttle.openThrottle();
  closeFirst();
  closeFirst();
  expect(vi.getTimerCount()).toBe(1);
  closeSecond();
  expect(vi.getTimerCount()).toBe(0);
});
