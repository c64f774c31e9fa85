import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { memoryTaken } from '../../../tools/sense/memory-taken.ts';

/** Lists, and numbers in each: 16 MB, of which nothing is kept. */
const [count, length] = [2_000, 1_000];

it('counts what is cleared up again too, as no reading of the heap does', async () => {
  const taken = await memoryTaken(async () => {
    for (let at = 0; at < count; at++) {
      if (Array.from({ length }, () => at).length !== length) throw new Error('it is another list');
      if (at % 1_000 === 0) await setImmediate();
    }
  });
  expect(taken).toBeGreaterThan((count * length * 4) / 2);
});
