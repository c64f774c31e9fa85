import { expect, it } from 'vitest';
import { createJobSlots, isAhead } from '../../../../main/watch/model/scheduling.ts';

it('offers no job slot while twenty jobs are ahead', () => {
  let ahead = 19;
  const turns = createJobSlots(() => ahead);
  expect(turns.isAvailable('me')).toBe(true);
  ahead = 20;
  expect(turns.isAvailable('me')).toBe(false);
});

it('counts jobs of each account separately', () => {
  const turns = createJobSlots((accountId) => (accountId === 'signed-out' ? 20 : 0));
  expect(turns.isAvailable('signed-out')).toBe(false);
  expect(turns.isAvailable('me')).toBe(true);
});

it('isAhead() ignores jobs that wait for the user or have uploaded everything', () => {
  expect(isAhead({ status: 'queued', waitingFor: 'turn' })).toBe(true);
  expect(isAhead({ status: 'uploading', waitingFor: 'network' })).toBe(true);
  expect(isAhead({ status: 'creating', waitingFor: 'confirmation' })).toBe(false);
  expect(isAhead({ status: 'paused', waitingFor: null })).toBe(false);
  expect(isAhead({ status: 'tiling', waitingFor: null })).toBe(false);
});

it('notifies listeners of free slots until they unsubscribe', () => {
  const turns = createJobSlots(() => 0);
  let reported = 0;
  const stop = turns.onAvailable(() => {
    reported += 1;
  });
  turns.emit();
  stop();
  turns.emit();
  expect(reported).toBe(1);
});
