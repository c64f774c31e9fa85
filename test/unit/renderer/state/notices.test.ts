import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Notices } from '../../../../renderer/state/notices.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const undo = { word: 'Undo', take: () => {} };
const textsOf = (notices: Notices) => notices.list.map(({ text }) => text);

describe('a notice', () => {
  it.each([
    ['without a button', 8_000, (notices: Notices) => notices.say('Copied')],
    ['with a button', 12_000, (notices: Notices) => notices.offer('Removed', undo)],
    [
      'about ended uploads',
      12_000,
      (notices: Notices) => notices.offer('8 complete', undo, { about: 'ended' }),
    ],
    ['about an error', 20_000, (notices: Notices) => notices.fail(new Error('no'))],
  ])('%s leaves after %i ms', (_kind, ms, show) => {
    const notices = new Notices();
    show(notices);
    vi.advanceTimersByTime(ms - 1);
    expect(notices.list).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(notices.list).toEqual([]);
  });

  it('a notice stays while it is pointed at, and leaves afterwards', () => {
    const notices = new Notices();
    notices.say('Copied');
    const id = notices.list[0]?.id ?? 0;
    notices.hold(id);
    vi.advanceTimersByTime(60_000);
    expect(textsOf(notices)).toEqual(['Copied']);
    notices.release(id);
    vi.advanceTimersByTime(8_000);
    expect(notices.list).toEqual([]);
  });

  it('a notice replaces the one about the same and the one with the same text', () => {
    const notices = new Notices();
    notices.offer('8 complete', undo, { about: 'ended' });
    expect(notices.shows('ended')).toBe(true);
    notices.offer('38 complete, 5 failed', undo, { about: 'ended' });
    expect(textsOf(notices)).toEqual(['38 complete, 5 failed']);
    notices.say('Copied');
    notices.say('Copied');
    expect(textsOf(notices)).toEqual(['38 complete, 5 failed', 'Copied']);
    vi.advanceTimersByTime(12_000);
    expect(notices.shows('ended')).toBe(false);
  });

  it('a notice is one of at most two', () => {
    const notices = new Notices();
    for (const text of ['a', 'b', 'c']) notices.say(text);
    expect(textsOf(notices)).toEqual(['b', 'c']);
  });
});
