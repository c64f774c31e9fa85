import type { Clock } from '../../outside.ts';
import type { SettingsStore } from '../../settings.ts';
import type { WatchService } from '../../watch/model.ts';
import type { Notify } from './notify.ts';
import { createWatchSummary, summaryWords } from './watch-summary.ts';

/** Tells what watched folders have done, some at a time, unless the person wants none of it. Returns an unsubscribe function. */
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
