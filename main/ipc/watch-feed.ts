import type { Events } from '../../preload/contract.ts';
import type { WatchService } from '../watch/model.ts';

/** At most this often (ms) do watched folders reach the page: twice a second. */
const feedIntervalMs = 500;

/** Gathers changes of watched folders and gives them out together. Returns an unsubscribe function. */
export function feedWatch(watch: WatchService, send: (event: Events['watch.changed']) => void): () => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const sourcesOf = [...changed];
    changed.clear();
    send({ folders: watch.rules(), sourcesOf });
  };
  const stopListening = watch.onChange((id) => {
    changed.add(id);
    timer ??= setTimeout(flush, feedIntervalMs);
  });
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}
