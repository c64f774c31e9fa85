import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '../../../../renderer/state/clock.svelte.ts';

class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';

  become(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

describe('the clock of a page', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is told once a second', () => {
    const { clock } = startedClock();
    vi.advanceTimersByTime(2_500);
    expect(clock.now).toBe(2_000);
  });

  it('has no timer while nobody can see the page', () => {
    const { page } = startedClock();
    page.become('hidden');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has none either where the page begins unseen', () => {
    const page = new Page();
    page.visibilityState = 'hidden';
    new Clock(Date.now, page).start();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells the time at once to who sees the page again, and goes on', () => {
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

  it('stops for good when it is no longer wanted', () => {
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
