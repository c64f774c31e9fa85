import { say } from '../../../strings/say.ts';
import type { Clock } from '../../outside.ts';
import type { WatchEnd } from '../../watch/model.ts';

/** After a quiet time (ms) an end waits this long for others to be told with it. */
export const gatherMs = 5_000;
/** Never two summaries within this time (ms). */
export const quietMs = 10 * 60_000;

export interface WatchSummary {
  add(end: WatchEnd): void;
  /** What is gathered is then told no more. */
  stop(): void;
}

/** Gathers ends of watched sources and tells them together: each once, a burst as one, and at most one summary in ten minutes. */
export function createWatchSummary(clock: Clock, tell: (ends: readonly WatchEnd[]) => void): WatchSummary {
  const stopped = new AbortController();
  let gathered: WatchEnd[] = [];
  let toldAt: number | null = null;
  const tellGathered = () => {
    const ends = gathered;
    gathered = [];
    toldAt = clock.now();
    tell(ends);
  };
  return {
    add: (end) => {
      gathered.push(end);
      if (gathered.length > 1) return;
      clock.sleep(summaryDelay(clock.now(), toldAt), stopped.signal).then(tellGathered, () => {});
    },
    stop: () => stopped.abort(),
  };
}

/** How long (ms) an end that comes now, as the first since the last summary, waits. A clock that was set back holds nothing up for longer than the quiet time. Pure. */
export function summaryDelay(now: number, toldAt: number | null): number {
  const rest = toldAt === null ? 0 : Math.min(quietMs, toldAt + quietMs - now);
  return Math.max(gatherMs, rest);
}

const shownFolders = 3;

/** "Drone landings: 12 assets complete, 1 failed", a line for each of the first folders. Pure. */
export function summaryWords(ends: readonly WatchEnd[]): { readonly title: string; readonly body: string } {
  const folders = [...Map.groupBy(ends, ({ ruleId }) => ruleId).values()];
  const lines = folders.slice(0, shownFolders).map((ofOne) => {
    const name = ofOne.at(-1)?.ruleName ?? '';
    return say('notify.ofFolder', { name, outcomes: outcomes(ofOne) });
  });
  const others = folders.slice(shownFolders).flat();
  if (others.length > 0) lines.push(say('notify.others', { outcomes: outcomes(others) }));
  return { title: say('notify.watched'), body: lines.join('\n') };
}

function outcomes(ends: readonly WatchEnd[]): string {
  const complete = ends.filter(({ outcome }) => outcome === 'complete').length;
  const failed = ends.length - complete;
  if (failed === 0) return say('notify.allComplete', { count: complete });
  return complete === 0
    ? say('notify.allFailed', { count: failed })
    : say('notify.someFailed', { complete, failed });
}
