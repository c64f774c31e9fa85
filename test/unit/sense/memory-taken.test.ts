import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { memoryTaken } from '../../../tools/sense/memory-taken.ts';

/** Arrays and their numbers: 16 MB, all of it freed. */
const [count, length] = [2_000, 1_000];

it('memoryTaken() counts freed memory, unlike a heap reading', async () => {
  const takenBytes = await memoryTaken(async () => {
    for (let at = 0; at < count; at++) {
      if (Array.from({ length }, () => at).length !== length) throw new Error('it is another list');
      if (at % 1_000 === 0) await setImmediate();
    }
  });
  expect(takenBytes).toBeGreaterThan((count * length * 4) / 2);
});
