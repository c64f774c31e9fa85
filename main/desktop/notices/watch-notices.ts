import type { Clock } from '../../ports.ts';
import { formatWhen, say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import { lengthOf } from '../../watch/finish/outages.ts';
import type { WatchEnd, WatchService } from '../../watch/model/model.ts';
import type { Notify } from './notify.ts';

/** Returns an unsubscribe function. */
export function notifyOfWatchedFolders(
  watch: Pick<WatchService, 'onEnd'>,
  { settings, clock, notify }: { settings: SettingsStore; clock: Clock; notify: Notify },
): () => void {
  const summary = createWatchSummary(clock, (watchEnds) => {
    if (settings.get().background.notify) notify(summaryWords(watchEnds));
  });
  const stopListening = watch.onEnd(summary.add);
  return () => {
    stopListening();
    summary.stop();
  };
}

export const gatherMs = 5_000;
/** Between summaries, ms. */
export const quietMs = 10 * 60_000;

interface WatchSummary {
  add(end: WatchEnd): void;
  /** Discards pending outcomes. */
  stop(): void;
}

/** Each is reported once, in at most one summary in ten minutes. */
export function createWatchSummary(
  clock: Clock,
  report: (watchEnds: readonly WatchEnd[]) => void,
): WatchSummary {
  const stopController = new AbortController();
  let gatheredEnds: WatchEnd[] = [];
  let lastSummaryAt: number | null = null;
  const emitGathered = () => {
    const watchEnds = gatheredEnds;
    gatheredEnds = [];
    lastSummaryAt = clock.now();
    report(watchEnds);
  };
  return {
    add: (end) => {
      gatheredEnds.push(end);
      if (gatheredEnds.length > 1) return;
      clock
        .sleep(summaryDelay(clock.now(), lastSummaryAt), stopController.signal)
        .then(emitGathered, () => {});
    },
    stop: () => stopController.abort(),
  };
}

/** In ms; limited if the clock was set back. Pure. */
export function summaryDelay(nowMs: number, lastSummaryAt: number | null): number {
  const quietLeft = lastSummaryAt === null ? 0 : Math.min(quietMs, lastSummaryAt + quietMs - nowMs);
  return Math.max(gatherMs, quietLeft);
}

const shownFolders = 3;

/** For example "Drone landings: 12 assets complete, 1 failed". Pure. */
export function summaryWords(watchEnds: readonly WatchEnd[]): {
  readonly title: string;
  readonly body: string;
} {
  const folders = [...Map.groupBy(watchEnds, ({ ruleId }) => ruleId).values()];
  const lines = folders.slice(0, shownFolders).map((folderEnds) => {
    const name = folderEnds.at(-1)?.ruleName ?? '';
    return say('notify.ofFolder', { name, outcomes: outcomes(folderEnds) });
  });
  const otherEnds = folders.slice(shownFolders).flat();
  if (otherEnds.length > 0) lines.push(say('notify.others', { outcomes: outcomes(otherEnds) }));
  return { title: say('notify.watched'), body: lines.join('\n') };
}

function outcomes(watchEnds: readonly WatchEnd[]): string {
  const complete = watchEnds.filter(({ outcome }) => outcome === 'complete').length;
  const failedCount = watchEnds.length - complete;
  if (failedCount === 0) return say('notify.allComplete', { count: complete });
  return complete === 0
    ? say('notify.allFailed', { count: failedCount })
    : say('notify.someFailed', { complete, failed: failedCount });
}

/** Returns an unsubscribe function. */
export function notifyOfOutages(
  watch: Pick<WatchService, 'onOutage'>,
  { settings, clock, notify }: { settings: SettingsStore; clock: Pick<Clock, 'now'>; notify: Notify },
): () => void {
  return watch.onOutage((outage) => {
    if (!settings.get().background.notify) return;
    const startTime = formatWhen(outage.startedAt, clock.now());
    if (outage.kind === 'begun')
      notify({ title: say('notify.outage'), body: say('notify.outageDetail', { from: startTime }) });
    else
      notify({
        title: say('notify.outageOver'),
        body: say('notify.outageOverDetail', {
          from: startTime,
          ...lengthOf(outage.ms),
          count: outage.sources,
        }),
      });
  });
}
