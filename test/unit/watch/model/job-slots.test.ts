import { expect, it } from 'vitest';
import { createJobSlots, isAhead } from '../../../../main/watch/model/scheduling.ts';

it('lets twenty ahead of the line and no more', () => {
  let ahead = 19;
  const turns = createJobSlots(() => ahead);
  expect(turns.isAvailable('me')).toBe(true);
  ahead = 20;
  expect(turns.isAvailable('me')).toBe(false);
});

it('keeps nobody waiting for the jobs of another account', () => {
  const turns = createJobSlots((accountId) => (accountId === 'signed-out' ? 20 : 0));
  expect(turns.isAvailable('signed-out')).toBe(false);
  expect(turns.isAvailable('me')).toBe(true);
});

it('does not count what waits for a person, nor what has sent all it has', () => {
  expect(isAhead({ status: 'queued', waitingFor: 'turn' })).toBe(true);
  expect(isAhead({ status: 'uploading', waitingFor: 'network' })).toBe(true);
  expect(isAhead({ status: 'creating', waitingFor: 'confirmation' })).toBe(false);
  expect(isAhead({ status: 'paused', waitingFor: null })).toBe(false);
  expect(isAhead({ status: 'tiling', waitingFor: null })).toBe(false);
});

it('tells who waits, until they stop listening', () => {
  const turns = createJobSlots(() => 0);
  let told = 0;
  const stop = turns.onAvailable(() => {
    told += 1;
  });
  turns.emit();
  stop();
  turns.emit();
  expect(told).toBe(1);
});
