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

  it('onceDrawn() calls back once and stops observing', () => {
    const listener = vi.fn();
    onceDrawn(listener);
    expect(listener).not.toHaveBeenCalled();
    drawSomething();
    drawSomething();
    expect(listener).toHaveBeenCalledOnce();
    expect(observers.size).toBe(0);
  });

  it('onceDrawn() does not call back after it was stopped', () => {
    const onEvent = vi.fn();
    onceDrawn(onEvent)();
    drawSomething();
    expect(onEvent).not.toHaveBeenCalled();
  });
});
