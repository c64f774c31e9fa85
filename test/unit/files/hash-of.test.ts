import { expect, it } from 'vitest';
import { hashOf } from '../../../main/files/hash-of.ts';

it('hashOf() distinguishes names that differ in a letter, number or order, with any seed', () => {
  const names = Array.from({ length: 50_000 }, (_, at) => [
    `block_${Math.floor(at / 1000)}/dgm_${at}.tif`,
    `dgm_${at} ${at % 7}`,
    `${at}_dgm`,
    `${at}`.split('').reverse().join(''),
  ]).flat();
  for (const seed of [0, 1, 0x5eed, 2 ** 31]) {
    const texts = new Set(names);
    expect(new Set([...texts].map((text) => hashOf(text, seed))).size).toBe(texts.size);
    // About five collisions of 32 bits are expected by chance.
    expect(new Set([...texts].map((text) => hashOf(text, seed) % 2 ** 32)).size).toBeGreaterThan(
      texts.size - 30,
    );
  }
  const sizes = Array.from({ length: 10_000 }, (_, size) =>
    ['dgm.tif', 'egm.tif', 'a.tif', 'b.tif'].map((name) => hashOf(name, size)),
  );
  expect(new Set(sizes.flat()).size).toBe(40_000);
});

it('hashOf() returns a stable safe integer', () => {
  for (const text of ['', 'a', 'Größe', '\u0000', 'x'.repeat(1_000)]) {
    expect(Number.isSafeInteger(hashOf(text))).toBe(true);
    expect(hashOf(text)).toBe(hashOf(`${text}`));
    expect(hashOf(text)).not.toBe(hashOf(text, 1));
  }
});
