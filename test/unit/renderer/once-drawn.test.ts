import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onceDrawn } from '../../../renderer/once-drawn.ts';

/** Stand-in for Chromium's observer of larger paints. */
const observers = new Set<() => void>();
const drawSomething = () => {
  for (const observer of [...observers]) observer();
};

describe('onceDrawn()', () => {
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
  afterEach(() => void vi.unstubAllGlobals());

  it('calls back once and stops observing', () => {
    const told = vi.fn();
    onceDrawn(told);
    expect(told).not.toHaveBeenCalled();
    drawSomething();
    drawSomething();
    expect(told).toHaveBeenCalledOnce();
    expect(observers.size).toBe(0);
  });

  it('does not call back after it was stopped', () => {
    const told = vi.fn();
    onceDrawn(told)();
    drawSomething();
    expect(told).not.toHaveBeenCalled();
  });
});
