import type { DesktopAskView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/**
 * Executes the desktop's requests, even those sent before the page loaded. Returns an unsubscribe function.
 */
export function followDesktop(
  api: Api,
  act: (ask: DesktopAskView) => void,
  failed: (error: unknown) => void,
): () => void {
  const take = () => {
    api.call('desktop.take', null).then((asks) => asks.forEach(act), failed);
  };
  const stop = api.on('desktop.asked', take);
  take();
  return stop;
}
