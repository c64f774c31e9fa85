import { describe, expect, it } from 'vitest';
import { runWhenEnded } from '../../../scripts/test/ended-runners.mjs';

const ended = (how: string) =>
  new Error('[vitest-pool]: Worker forks emitted error.', {
    cause: new Error(
      `Worker exited unexpectedly with ${how} during started state while running test file /a/b.test.ts`,
    ),
  });

describe('a process of the test runner that ended', () => {
  it('names what it was running where a signal ended it', () => {
    expect(runWhenEnded(ended('signal SIGSEGV'))).toBe('/a/b.test.ts');
  });

  it('is a failure where it ended by itself, or anything else went wrong', () => {
    expect(runWhenEnded(ended('exit code 1'))).toBeNull();
    expect(runWhenEnded(new Error('Unhandled rejection', { cause: 'signal SIGSEGV' }))).toBeNull();
  });
});
