import { createCipheriv, createHash } from 'node:crypto';

/** Seeded random numbers: the same seed repeats the same choices. */
export interface Chance {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer, both ends included. */
  between(least: number, most: number): number;
  pick<T>(choices: readonly T[]): T;
  pickWeighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
  /** Derives a generator from this seed and the name only. */
  branch(name: string): Chance;
  /** Endless bytes for file contents, 1 GB/s. */
  bytes(): (length: number) => Buffer;
}

export function chanceFrom(seed: string): Chance {
  const stream = bytesFrom(`choices of ${seed}`);
  const next = () => stream(6).readUIntBE(0, 6) / 2 ** 48;
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (choices) => at(choices, between(0, choices.length - 1)),
    pickWeighted: (choices) => {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return at(choices, choices.length - 1)[1];
    },
    branch: (name) => chanceFrom(`${seed} / ${name}`),
    bytes: () => bytesFrom(`contents of ${seed}`),
  };
}

/** AES in counter mode over zeros: random enough, and repeatable. */
function bytesFrom(seed: string): (length: number) => Buffer {
  const key = createHash('sha256').update(seed).digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return (length) => cipher.update(Buffer.alloc(length));
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}
