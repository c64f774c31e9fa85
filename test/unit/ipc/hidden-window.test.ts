import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWindowSight } from '../../../main/desktop/window/window-sight.ts';
import { feedJobs, feedWatch } from '../../../main/ipc/feeds.ts';
import { joinSeen } from '../../../main/ipc/views/joined-seen.ts';
import { paceByVisibility } from '../../../main/ipc/window-visibility.ts';
import type { JobService, JobSnapshot } from '../../../main/jobs/model.ts';
import type { WatchService } from '../../../main/watch/model.ts';
import type { Events } from '../../../preload/contract.ts';
import { packFootprints, unpackFootprints } from '../../../shared/source.ts';

/** A window as Electron has it: it says what becomes of it, and is asked how it is. */
class FakeWindow extends EventEmitter {
  #visible = false;
  #minimized = false;
  #destroyed = false;
  isVisible = () => this.#visible;
  isMinimized = () => this.#minimized;
  isDestroyed = () => this.#destroyed;

  show(): void {
    this.#visible = true;
    this.emit('show');
  }

  hide(): void {
    this.#visible = false;
    this.emit('hide');
  }

  minimize(): void {
    this.#minimized = true;
    this.emit('minimize');
  }

  /** `by`: what a desktop says then, if anything. */
  restore(by: 'restore' | 'focus' | null = 'restore'): void {
    this.#minimized = false;
    if (by) this.emit(by);
  }

  close(): void {
    this.#destroyed = true;
    this.emit('closed');
  }
}

let window: FakeWindow;
let sight: ReturnType<typeof createWindowSight>;

function open(): void {
  window = new FakeWindow();
  sight.follow(window);
}

beforeEach(() => {
  vi.useFakeTimers();
  sight = createWindowSight();
  open();
  window.show();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Does it a hundred times a second for so many seconds. */
function often(seconds: number, act: (count: number) => void): void {
  for (let count = 0; count < seconds * 100; count += 1) {
    vi.advanceTimersByTime(10);
    act(count);
  }
}

describe('whether a window is seen', () => {
  it('follows what becomes of the window, and of the next one', () => {
    const heard: string[] = [];
    sight.onChange(() => heard.push(sight.state()));
    window.hide();
    window.show();
    window.emit('focus');
    window.minimize();
    window.restore();
    window.close();
    open();
    window.show();
    expect(heard).toEqual(['hidden', 'seen', 'hidden', 'seen', 'closed', 'hidden', 'seen']);
  });

  it('is told by the focus too, where a desktop says nothing else when a window comes back', () => {
    window.minimize();
    const heard = vi.fn();
    sight.onChange(heard);
    window.restore('focus');
    expect(sight.state()).toBe('seen');
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe('the feed of jobs', () => {
  let listener: (id: string) => void = () => {};
  let bytesDone = 0;
  let sent: Events['jobs.changed'][] = [];
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
    sent = [];
    stop = feedJobs(jobs, sight, (event) => sent.push(event));
  });
  afterEach(() => stop());

  it('speaks ten times a second to a window in sight', () => {
    often(60, move);
    expect(sent.length).toBeGreaterThan(500);
    expect(sent.length).toBeLessThanOrEqual(600);
  });

  it.each(['hide', 'minimize'] as const)(
    'speaks every five seconds to a window once it is gone by %s',
    (way) => {
      window[way]();
      often(60, move);
      expect(sent.length).toBeGreaterThanOrEqual(11);
      expect(sent.length).toBeLessThanOrEqual(12);
    },
  );

  it('keeps no timer for a window that is hidden while nothing happens, nor for a closed one whatever does', () => {
    window.hide();
    expect(vi.getTimerCount()).toBe(0);
    move();
    expect(vi.getTimerCount()).toBe(1);
    window.close();
    expect(vi.getTimerCount()).toBe(0);
    often(60, move);
    expect(sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says the present state at once when the window is shown again, and only what it does not know', () => {
    window.hide();
    often(1, move);
    expect(sent).toEqual([]);
    window.show();
    expect(sent).toMatchObject([{ changed: [{ id: 'a', bytesDone }] }]);
    window.hide();
    window.show();
    vi.advanceTimersByTime(60_000);
    expect(sent).toHaveLength(1);
  });

  it('is not slow for long where a desktop does not say that it shows a window again', () => {
    window.minimize();
    move();
    window.restore(null);
    move();
    vi.advanceTimersByTime(100);
    expect(sent).toHaveLength(1);
  });

  it('takes nothing for known in the next window that the one before was told', () => {
    move();
    vi.advanceTimersByTime(100);
    window.close();
    open();
    window.show();
    listener('a');
    vi.advanceTimersByTime(100);
    expect(sent).toHaveLength(2);
  });
});

describe('the feed of watched folders', () => {
  it('speaks every five seconds to a hidden window, with all rules whose sources changed since', () => {
    let listener: (id: string) => void = () => {};
    const rules = vi.fn((): [] => []);
    const watch = {
      rules,
      onChange: (given: (id: string) => void) => {
        listener = given;
        return () => {};
      },
    } as Partial<WatchService> as WatchService;
    const sent: Events['watch.changed'][] = [];
    const stop = feedWatch(watch, sight, (event) => sent.push(event));
    window.hide();
    often(60, (count) => listener(count % 2 === 0 ? 'a' : 'b'));
    expect(sent.length).toBeGreaterThanOrEqual(11);
    expect(sent.length).toBeLessThanOrEqual(12);
    expect(rules).toHaveBeenCalledTimes(sent.length);
    expect(sent[0]?.sourcesOf).toEqual(['a', 'b']);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('what is told at its own pace', () => {
  it('passes as it comes to a window in sight', () => {
    const sent: number[] = [];
    const tell = paceByVisibility<number>(sight, (value) => sent.push(value));
    for (const value of [1, 2, 3]) tell(value);
    expect(sent).toEqual([1, 2, 3]);
  });

  it('reaches a hidden window once a second, the last at the end, and at once when it is shown', () => {
    const sent: number[] = [];
    const tell = paceByVisibility<number>(sight, (value) => sent.push(value));
    window.hide();
    often(60, tell);
    expect(sent.length).toBeGreaterThanOrEqual(58);
    expect(sent.length).toBeLessThanOrEqual(60);
    vi.advanceTimersByTime(1_000);
    expect(sent.at(-1)).toBe(5_999);
    sent.length = 0;
    tell(7);
    window.show();
    expect(sent).toEqual([7]);
    vi.advanceTimersByTime(60_000);
    expect(sent).toEqual([7]);
  });

  it('is nothing to a closed window, nor to the one after it', () => {
    const sent: number[] = [];
    const tell = paceByVisibility<number>(sight, (value) => sent.push(value), Math.max);
    window.hide();
    tell(9);
    window.close();
    tell(8);
    open();
    tell(1);
    window.show();
    expect(sent).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('loses no footprint of what was seen in files, and keeps looks at sources apart', () => {
    const seenAs = (round: number, key: string, looked: number) =>
      ({
        round,
        seen: { looked },
        footprints: packFootprints([{ key, ring: [[round, looked]] }]),
        density: null,
      }) as unknown as Events['source.seen'];
    const sent: Events['source.seen'][] = [];
    const tell = paceByVisibility<Events['source.seen']>(sight, (value) => sent.push(value), joinSeen);
    window.hide();
    tell(seenAs(1, 'gone', 1));
    tell(seenAs(2, 'first', 5));
    tell(seenAs(2, 'second', 6));
    window.show();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ round: 2, seen: { looked: 6 } });
    expect(unpackFootprints(sent[0]?.footprints ?? packFootprints([]))).toEqual([
      { key: 'first', ring: [[2, 5]] },
      { key: 'second', ring: [[2, 6]] },
    ]);
  });
});
