import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 50;

/**
 * Looks until `look` gives a value without throwing, and gives it. After `withinMs` it throws what the last
 * look threw.
 */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = 20_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(lookEveryMs);
    }
  }
}
