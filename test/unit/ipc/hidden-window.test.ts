import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWindowVisibility } from '../../../main/desktop/window/window-visibility.ts';
import { feedJobs, feedWatch } from '../../../main/ipc/handlers/feeds.ts';
import { joinSeen } from '../../../main/ipc/views/joined-seen.ts';
import { paceByVisibility } from '../../../main/ipc/window-visibility.ts';
import type { JobService, JobSnapshot } from '../../../main/jobs/model.ts';
import type { WatchService } from '../../../main/watch/model/model.ts';
import type { Events } from '../../../preload/contract.ts';
import { packFootprints, unpackFootprints } from '../../../shared/source.ts';

/** Stand-in for an Electron window. */
class FakeWindow extends EventEmitter {
  #isVisibleNow = false;
  #minimized = false;
  #destroyed = false;
  isVisible = () => this.#isVisibleNow;
  isMinimized = () => this.#minimized;
  isDestroyed = () => this.#destroyed;

  show(): void {
    this.#isVisibleNow = true;
    this.emit('show');
  }

  hide(): void {
    this.#isVisibleNow = false;
    this.emit('hide');
  }

  minimize(): void {
    this.#minimized = true;
    this.emit('minimize');
  }

  /** `eventName`: the event that the desktop emits, if any. */
  restore(eventName: 'restore' | 'focus' | null = 'restore'): void {
    this.#minimized = false;
    if (eventName) this.emit(eventName);
  }

  close(): void {
    this.#destroyed = true;
    this.emit('closed');
  }
}

let window: FakeWindow;
let visibility: ReturnType<typeof createWindowVisibility>;

function open(): void {
  window = new FakeWindow();
  visibility.follow(window);
}

beforeEach(() => {
  vi.useFakeTimers();
  visibility = createWindowVisibility();
  open();
  window.show();
});
afterEach(() => void vi.useRealTimers());

/** Acts a hundred times a second for this many seconds. */
function often(seconds: number, repeatedAct: (count: number) => void): void {
  for (let count = 0; count < seconds * 100; count += 1) {
    vi.advanceTimersByTime(10);
    repeatedAct(count);
  }
}

it('createWindowVisibility() follows the window and its successor', () => {
  const heardEvents: string[] = [];
  visibility.onChange(() => heardEvents.push(visibility.state()));
  window.hide();
  window.show();
  window.emit('focus');
  window.minimize();
  window.restore();
  window.close();
  open();
  window.show();
  expect(heardEvents).toEqual(['hidden', 'seen', 'hidden', 'seen', 'closed', 'hidden', 'seen']);
});

it('createWindowVisibility() treats focus as visible when the desktop reports nothing else', () => {
  window.minimize();
  const onHeard = vi.fn();
  visibility.onChange(onHeard);
  window.restore('focus');
  expect(visibility.state()).toBe('seen');
  expect(onHeard).toHaveBeenCalledTimes(1);
});

describe('the job feed', () => {
  let listener: (id: string) => void = () => {};
  let bytesDone = 0;
  let sentChanges: Events['jobs.changed'][] = [];
  let stop = () => {};
  const jobs = {
    get: (id: string) => ({ id, paths: [] as readonly string[], bytesDone }) as JobSnapshot,
    onChange: (given: (id: string) => void) => {
      listener = given;
      return () => {};
    },
  } as Partial<JobService> as JobService;
  const move = (): void => {
    bytesDone += 1;
    listener('a');
  };

  beforeEach(() => {
    sentChanges = [];
    stop = feedJobs(jobs, visibility, (event) => sentChanges.push(event));
  });
  afterEach(() => stop());

  it.each(['hide', 'minimize'] as const)('the job feed emits every five seconds after %s', (way) => {
    window[way]();
    often(60, move);
    expect(sentChanges.length).toBeGreaterThanOrEqual(11);
    expect(sentChanges.length).toBeLessThanOrEqual(12);
  });

  it('the job feed runs no timer for a hidden window without changes, or for a closed one', () => {
    window.hide();
    expect(vi.getTimerCount()).toBe(0);
    move();
    expect(vi.getTimerCount()).toBe(1);
    window.close();
    expect(vi.getTimerCount()).toBe(0);
    often(60, move);
    expect(sentChanges).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the job feed emits changes immediately when the window is shown again', () => {
    window.hide();
    often(1, move);
    expect(sentChanges).toEqual([]);
    window.show();
    expect(sentChanges).toMatchObject([{ changed: [{ id: 'a', bytesDone }] }]);
    window.hide();
    window.show();
    vi.advanceTimersByTime(60_000);
    expect(sentChanges).toHaveLength(1);
  });

  it('the job feed recovers soon when the desktop does not report a restored window', () => {
    window.minimize();
    move();
    window.restore(null);
    move();
    vi.advanceTimersByTime(100);
    expect(sentChanges).toHaveLength(1);
  });

  it('the job feed sends everything to a new window', () => {
    move();
    vi.advanceTimersByTime(100);
    window.close();
    open();
    window.show();
    listener('a');
    vi.advanceTimersByTime(100);
    expect(sentChanges).toHaveLength(2);
  });
});

it('the feed of watched folders emits every five seconds to a hidden window, with all rules that changed since', () => {
  let listener: (id: string) => void = () => {};
  const rules = vi.fn((): [] => []);
  const watch = {
    rules,
    onChange: (given: (id: string) => void) => {
      listener = given;
      return () => {};
    },
  } as Partial<WatchService> as WatchService;
  const sentFolders: Events['watch.changed'][] = [];
  const stop = feedWatch(watch, visibility, (event) => sentFolders.push(event));
  window.hide();
  often(60, (count) => listener(count % 2 === 0 ? 'a' : 'b'));
  expect(sentFolders.length).toBeGreaterThanOrEqual(11);
  expect(sentFolders.length).toBeLessThanOrEqual(12);
  expect(rules).toHaveBeenCalledTimes(sentFolders.length);
  expect(sentFolders[0]?.sourcesOf).toEqual(['a', 'b']);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('paceByVisibility() passes events immediately to a visible window', () => {
  const sentRounds: number[] = [];
  const tell = paceByVisibility<number>(visibility, (value) => sentRounds.push(value));
  for (const value of [1, 2, 3]) tell(value);
  expect(sentRounds).toEqual([1, 2, 3]);
});

it('paceByVisibility() emits once a second to a hidden window, the last at the end, and immediately when shown', () => {
  const sentRounds: number[] = [];
  const tell = paceByVisibility<number>(visibility, (value) => sentRounds.push(value));
  window.hide();
  often(60, tell);
  expect(sentRounds.length).toBeGreaterThanOrEqual(58);
  expect(sentRounds.length).toBeLessThanOrEqual(60);
  vi.advanceTimersByTime(1_000);
  expect(sentRounds.at(-1)).toBe(5_999);
  sentRounds.length = 0;
  tell(7);
  window.show();
  expect(sentRounds).toEqual([7]);
  vi.advanceTimersByTime(60_000);
  expect(sentRounds).toEqual([7]);
});

it('paceByVisibility() emits nothing to a closed window or its successor', () => {
  const sentRounds: number[] = [];
  const tell = paceByVisibility<number>(visibility, (value) => sentRounds.push(value), Math.max);
  window.hide();
  tell(9);
  window.close();
  tell(8);
  open();
  tell(1);
  window.show();
  expect(sentRounds).toEqual([1]);
  expect(vi.getTimerCount()).toBe(0);
});

it('paceByVisibility() keeps every footprint, and separates inspections', () => {
  const seenAs = (round: number, key: string, lookedCount: number) =>
    ({
      round,
      seen: { looked: lookedCount },
      footprints: packFootprints([{ key, ring: [[round, lookedCount]] }]),
      density: null,
    }) as unknown as Events['source.seen'];
  const sentViews: Events['source.seen'][] = [];
  const tell = paceByVisibility<Events['source.seen']>(
    visibility,
    (value) => sentViews.push(value),
    joinSeen,
  );
  window.hide();
  tell(seenAs(1, 'gone', 1));
  tell(seenAs(2, 'first', 5));
  tell(seenAs(2, 'second', 6));
  window.show();
  expect(sentViews).toHaveLength(1);
  expect(sentViews[0]).toMatchObject({ round: 2, seen: { looked: 6 } });
  expect(unpackFootprints(sentViews[0]?.footprints ?? packFootprints([]))).toEqual([
    { key: 'first', ring: [[2, 5]] },
    { key: 'second', ring: [[2, 6]] },
  ]);
});
