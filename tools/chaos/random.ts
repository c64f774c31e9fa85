import { createCipheriv, createHash } from 'node:crypto';

/** Seeded random numbers: the same seed repeats the same choices. */
export interface Chance {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer, both ends included. */
  between(minimum: number, maximum: number): number;
  pick<T>(choices: readonly T[]): T;
  pickWeighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
  /** Derives a generator from this seed and the name only. */
  branch(name: string): Chance;
  /** Endless bytes for file contents, 1 GB/s. */
  bytes(): (length: number) => Buffer;
}

export function chanceFrom(seed: string): Chance {
  const stream = bytesFrom(`choices of ${seed}`);
  const nextNumber = () => stream(6).readUIntBE(0, 6) / 2 ** 48;
  const betweenNumbers = (minimum: number, maximum: number) =>
    minimum + Math.floor(nextNumber() * (maximum - minimum + 1));
  return {
    next: nextNumber,
    between: betweenNumbers,
    pick: (choices) => itemAt(choices, betweenNumbers(0, choices.length - 1)),
    pickWeighted: (choices) => {
      let weightLeft = nextNumber() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) {
        weightLeft -= weight;
        if (weightLeft < 0) return choice;
      }
      return itemAt(choices, choices.length - 1)[1];
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

function itemAt<T>(list: readonly T[], index: number): T {
  const foundItem = list[index];
  if (foundItem === undefined) throw new Error('nothing to pick from');
  return foundItem;
}
