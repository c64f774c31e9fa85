import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '../../../../renderer/state/clock.svelte.ts';

class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';

  become(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

describe('Clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('Clock ticks once a second', () => {
    const { clock } = startedClock();
    vi.advanceTimersByTime(2_500);
    expect(clock.now).toBe(2_000);
  });

  it('Clock runs no timer while the page is hidden', () => {
    const { page } = startedClock();
    page.become('hidden');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('Clock runs no timer when the page starts hidden', () => {
    const page = new Page();
    page.visibilityState = 'hidden';
    new Clock(Date.now, page).start();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('Clock ticks immediately when the page is shown again', () => {
    const { clock, page } = startedClock();
    page.become('hidden');
    vi.advanceTimersByTime(60_300);
    expect(clock.now).toBe(0);
    page.become('visible');
    expect(clock.now).toBe(60_300);
    vi.advanceTimersByTime(1_000);
    expect(clock.now).toBe(61_300);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('Clock stops for good', () => {
    const { page, stop } = startedClock();
    stop();
    page.become('visible');
    expect(vi.getTimerCount()).toBe(0);
  });
});

function startedClock() {
  const page = new Page();
  const clock = new Clock(Date.now, page);
  return { page, clock, stop: clock.start() };
}
