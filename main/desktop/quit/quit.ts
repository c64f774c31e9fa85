import { Worker } from 'node:worker_threads';
import type { App } from 'electron';

/** Whoever quits waits no longer than this, whatever hangs. */
const limitMs = 5_000;

export interface QuitParts {
  readonly app: Pick<App, 'on' | 'quit' | 'releaseSingleInstanceLock'>;
  /** Puts everything down. False: something hangs in the system, and no process ends that waits for it. */
  readonly stop: () => Promise<boolean>;
  /** Ends the process at once, whatever it does. Default: as the system can. */
  readonly kill?: () => void;
  /** Kills the process after so many ms, also when its main thread hangs. Default: a thread that does nothing else. */
  readonly killAfter?: (ms: number) => void;
}

/** Holds the quit back until running uploads are put down so that they can go on next time, five seconds at most. */
export function quitCleanly({ app, stop, kill = killProcess, killAfter = startKiller }: QuitParts): void {
  let phase: 'at-work' | 'stopping' | 'stopped' = 'at-work';
  const quit = async () => {
    killAfter(limitMs);
    const quiet = await stop().catch(() => false);
    phase = 'stopped';
    if (quiet) return app.quit();
    // The next Tilelift must not wait for this one.
    app.releaseSingleInstanceLock();
    kill();
  };
  app.on('before-quit', (event) => {
    if (phase === 'stopped') return;
    event.preventDefault();
    if (phase === 'stopping') return;
    phase = 'stopping';
    void quit();
  });
}

/** A usual exit waits for threads, and these may wait for a dead drive. */
function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

function startKiller(ms: number): void {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})`, {
    eval: true,
    name: 'quit',
  }).unref();
}
