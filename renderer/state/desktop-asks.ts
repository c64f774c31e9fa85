import type { DesktopAskView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/**
 * Executes the desktop's requests, even those sent before the page loaded. Returns an unsubscribe function.
 */
export function followDesktop(
  api: Api,
  performAsk: (ask: DesktopAskView) => void,
  onFailure: (error: unknown) => void,
): () => void {
  const takeAsks = () => {
    api.call('desktop.take', null).then((takenAsks) => takenAsks.forEach(performAsk), onFailure);
  };
  const stop = api.on('desktop.asked', takeAsks);
  takeAsks();
  return stop;
}
