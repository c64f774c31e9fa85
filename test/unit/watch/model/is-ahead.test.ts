import { expect, it } from 'vitest';
import { isAhead } from '../../../../main/watch/model/scheduling.ts';

it('isAhead() ignores jobs that wait for the user or have uploaded everything', () => {
  expect(isAhead({ status: 'queued', waitingFor: 'turn' })).toBe(true);
  expect(isAhead({ status: 'uploading', waitingFor: 'network' })).toBe(true);
  expect(isAhead({ status: 'creating', waitingFor: 'confirmation' })).toBe(false);
  expect(isAhead({ status: 'paused', waitingFor: null })).toBe(false);
  expect(isAhead({ status: 'tiling', waitingFor: null })).toBe(false);
});
