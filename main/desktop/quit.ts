import type { App } from 'electron';

/** Holds the quit back until running uploads are put down so that they can go on next time. */
export function quitCleanly(app: App, stop: () => Promise<void>): void {
  let phase: 'at-work' | 'stopping' | 'stopped' = 'at-work';
  app.on('before-quit', (event) => {
    if (phase === 'stopped') return;
    event.preventDefault();
    if (phase === 'stopping') return;
    phase = 'stopping';
    void stop().finally(() => {
      phase = 'stopped';
      app.quit();
    });
  });
}
