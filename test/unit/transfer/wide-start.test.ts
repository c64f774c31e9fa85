import { describe, expect, it } from 'vitest';
import { WideStart } from '../../../main/transfer/wide-start.ts';

const mebibyte = 1024 * 1024;
const part = 8 * mebibyte;
const twelve = 12 * part;

/** Twelve parts since 0 ms, of which so many bytes have left by then. */
function begun(moved: number, buffered: number): WideStart {
  const start = new WideStart();
  start.takes(twelve, 0);
  start.left(moved, false);
  start.left(buffered, true);
  return start;
}

describe('what is tried at once on a very far line', () => {
  it('is 96 MiB', () => {
    const start = new WideStart();
    expect(start.takes(twelve, 0)).toBe(true);
    expect(start.takes(twelve + 1, 0)).toBe(false);
  });

  it('is too much when it leaves so slowly that it takes more than 15 s, seen after two', () => {
    const start = begun(2.4e6, 12e6);
    expect(start.isTooMuch(twelve, 1_999)).toBe(false);
    expect(start.isTooMuch(twelve, 2_000)).toBe(true);
  });

  it('is not when it leaves more quickly', () => {
    const start = begun(14e6, 12e6);
    expect(start.isTooMuch(twelve, 2_000)).toBe(false);
    expect(start.isTooMuch(twelve, 5_000)).toBe(false);
  });

  it('is too much when buffers took it, and nothing is heard in the time that it takes at 20 MB/s', () => {
    const start = begun(5e6, 95e6);
    expect(start.isTooMuch(twelve, 5_033)).toBe(false);
    expect(start.isTooMuch(twelve, 5_034)).toBe(true);
    const more = begun(5e6, 120e6);
    expect(more.isTooMuch(15 * part, 6_291)).toBe(false);
    expect(more.isTooMuch(15 * part, 6_292)).toBe(true);
  });

  it('is not when it left in time, and only its answers are missing', () => {
    const start = begun(80e6, 12e6);
    expect(start.isTooMuch(twelve, 2_000)).toBe(false);
    expect(start.isTooMuch(twelve, 5_034)).toBe(false);
  });

  it('is never too much where it is so little that it gets through a village’s line', () => {
    const start = new WideStart();
    start.takes(2 * part, 0);
    start.left(2 * part, true);
    expect(start.isTooMuch(2 * part, 5_000)).toBe(false);
    expect(start.isOpen).toBe(false);
  });

  it('is too much when the line becomes a slow one, and buffers hold what would take it half a minute', () => {
    const start = begun(30e6, 48e6);
    const all = 24 * part;
    expect(start.isTooMuch(all, 2_000)).toBe(false);
    start.left(6e6, false);
    expect(start.isTooMuch(all, 6_999)).toBe(false);
    expect(start.isTooMuch(all, 7_000)).toBe(true);
  });

  it('is not while nothing moves at all: that says nothing of how wide the line is', () => {
    const start = begun(30e6, 48e6);
    expect(start.isTooMuch(24 * part, 2_000)).toBe(false);
    expect(start.isTooMuch(24 * part, 7_000)).toBe(false);
    expect(start.isOpen).toBe(true);
  });

  it('is told once, and nothing is tried again after it', () => {
    const start = begun(2.4e6, 12e6);
    expect(start.isTooMuch(twelve, 2_000)).toBe(true);
    expect(start.isTooMuch(twelve, 2_001)).toBe(false);
    expect(start.takes(part, 2_001)).toBe(false);
  });

  it('stands once something was confirmed', () => {
    const start = begun(2.4e6, 12e6);
    start.end();
    expect(start.isOpen).toBe(false);
    expect(start.isTooMuch(twelve, 2_000)).toBe(false);
  });
});
