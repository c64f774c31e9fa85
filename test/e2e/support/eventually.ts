import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 50;

/** Repeats `look` until it succeeds and returns its value. After `withinMs`, throws its last error. */
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
