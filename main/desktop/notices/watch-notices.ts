import type { Clock } from '../../outside.ts';
import { formatWhen, say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import type { WatchEnd, WatchService } from '../../watch/model.ts';
import { lengthOf } from '../../watch/outage/outages.ts';
import type { Notify } from './notify.ts';

/** Reports what watched folders have done, in batches, if notices are on. Returns an unsubscribe function. */
export function tellOfWatchedFolders(
  watch: Pick<WatchService, 'onEnd'>,
  { settings, clock, notify }: { settings: SettingsStore; clock: Clock; notify: Notify },
): () => void {
  const summary = createWatchSummary(clock, (ends) => {
    if (settings.get().background.notify) notify(summaryWords(ends));
  });
  const stopListening = watch.onEnd(summary.add);
  return () => {
    stopListening();
    summary.stop();
  };
}

/** After a quiet time (ms) an end waits this long for others to be told with it. */
export const gatherMs = 5_000;
/** Never two summaries within this time (ms). */
export const quietMs = 10 * 60_000;

interface WatchSummary {
  add(end: WatchEnd): void;
  /** What is gathered is then told no more. */
  stop(): void;
}

/** Gathers ends of watched sources: each once, a burst as one notice, at most one summary in ten minutes. */
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

/**
 * How long (ms) an end that comes now, as the first since the last summary, waits. A clock that was set back
 * holds nothing up for longer than the quiet time. Pure.
 */
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

/**
 * Tells once that nothing gets through, and once that it does again, unless the person wants no notices.
 * Returns an unsubscribe function.
 */
export function tellOfOutages(
  watch: Pick<WatchService, 'onOutage'>,
  { settings, clock, notify }: { settings: SettingsStore; clock: Pick<Clock, 'now'>; notify: Notify },
): () => void {
  return watch.onOutage((outage) => {
    if (!settings.get().background.notify) return;
    const from = formatWhen(outage.since, clock.now());
    if (outage.kind === 'begun')
      notify({ title: say('notify.outage'), body: say('notify.outageDetail', { from }) });
    else
      notify({
        title: say('notify.outageOver'),
        body: say('notify.outageOverDetail', { from, ...lengthOf(outage.ms), count: outage.sources }),
      });
  });
}
