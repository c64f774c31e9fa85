import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onceDrawn } from '../../../renderer/once-drawn.ts';

/** As Chromium's: told of each picture that shows more than the one before. */
const observers = new Set<() => void>();
const drawSomething = () => {
  for (const observer of [...observers]) observer();
};

describe('a page that waits for its first screen to be drawn', () => {
  beforeEach(() => {
    observers.clear();
    vi.stubGlobal(
      'PerformanceObserver',
      class {
        readonly #told: () => void;
        constructor(told: () => void) {
          this.#told = told;
        }
        observe = () => observers.add(this.#told);
        disconnect = () => observers.delete(this.#told);
      },
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('hears of it once, and looks no further', () => {
    const told = vi.fn();
    onceDrawn(told);
    expect(told).not.toHaveBeenCalled();
    drawSomething();
    drawSomething();
    expect(told).toHaveBeenCalledOnce();
    expect(observers.size).toBe(0);
  });

  it('hears nothing any more once it has gone', () => {
    const told = vi.fn();
    onceDrawn(told)();
    drawSomething();
    expect(told).not.toHaveBeenCalled();
  });
});
