import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createVault } from '../account/vault/encrypted-vault.ts';
import { TileliftError } from '../errors.ts';
import { systemClock } from '../ports.ts';
import { connectToRunning, type RunningTilelift } from '../socket/client.ts';
import { readAccess } from './access.ts';
import type { Cli } from './cli.ts';
import { cipherOf } from './file-cipher.ts';
import { homeOf } from './home.ts';
import type { Environment } from './process.ts';
import { UsageError } from './usage-error.ts';

/**
 * The Tilelift of the home folder, else, without a given home, the desktop.
 * @throws TileliftError `socket-version`, `socket-lost`
 */
async function findRunning(cli: Cli): Promise<RunningTilelift | null> {
  const running = await connectToRunning(homeOf(cli));
  if (running || isHomeNamed(cli)) return running;
  const desktop = desktopHome(cli.platform, cli.env, cli.userHome);
  return desktop === null ? null : connectToRunning(desktop);
}

/**
 * The home folder's Tilelift, else the desktop if the command never signed in: data never goes to another
 * account.
 * @throws UsageError if a secret can't be used, or it uses another one; TileliftError like `findRunning`
 */
async function findRunningAccount(cli: Cli): Promise<RunningTilelift | null> {
  const running = await connectToRunning(homeOf(cli));
  const access = readAccess(homeOf(cli), cli.env);
  // A secret in a remembered file is the home folder's own, even after it changed.
  const isNamed = Boolean(cli.env.TILELIFT_TOKEN?.trim()) && access.kind !== 'none';
  if (running && isNamed && !opensVault(homeOf(cli), access.secret)) {
    running.disconnect();
    throw new UsageError({ key: 'cli.account.otherSecret', values: { pid: String(running.greeting.pid) } });
  }
  if (running || access.kind !== 'none') return running;
  return findRunning(cli);
}

/** False if another secret has encrypted it. */
function opensVault(home: string, secret: string): boolean {
  const file = join(home, 'vault.json');
  if (!existsSync(file)) return true;
  const vault = createVault({ file, cipher: cipherOf(secret) });
  const signIns = vault.keys().filter((key) => key.startsWith('tokens:'));
  return signIns.every((key) => vault.get(key) !== undefined);
}

const isHomeNamed = (cli: Cli) => cli.common().home !== undefined || Boolean(cli.env.TILELIFT_HOME);

/** Ms. */
const patienceMs = 30_000;
const retryMs = 100;
/** A process that starts or ends holds the journal without a socket, or ends during a request. */
const temporaryCodes: ReadonlySet<string> = new Set(['journal-held', 'socket-lost']);

/** Finds the running Tilelift: `account`, that may use the command's account. */
const finders = { any: findRunning, account: findRunningAccount };

/**
 * Works through the Tilelift that holds the journal, else in this process.
 * @throws TileliftError `journal-held` if another process holds it without responding
 */
export async function byHolder<T>(
  cli: Cli,
  whose: keyof typeof finders,
  byRunning: (running: RunningTilelift) => Promise<T>,
  workHere: () => Promise<T>,
): Promise<T> {
  const startedAt = systemClock.elapsed();
  for (;;) {
    try {
      const running = await finders[whose](cli);
      return await (running ? byRunning(running) : workHere());
    } catch (error) {
      const isPassing = error instanceof TileliftError && temporaryCodes.has(error.code);
      if (!isPassing || systemClock.elapsed() - startedAt > patienceMs) throw error;
      await systemClock.sleep(retryMs, cli.stop);
    }
  }
}

/** @throws TileliftError `nothing-runs`, and errors of `findRunning` */
export async function runningTilelift(cli: Cli): Promise<RunningTilelift> {
  const running = await findRunning(cli);
  if (!running) throw new TileliftError('nothing-runs');
  return running;
}

/** Electron's `appData` and the product name. Pure. */
export function desktopHome(platform: NodeJS.Platform, env: Environment, userHome: string): string | null {
  const name = 'Tilelift';
  if (platform === 'win32') return env.APPDATA ? join(env.APPDATA, name) : null;
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', name);
  return join(env.XDG_CONFIG_HOME || join(userHome, '.config'), name);
}

/** Rejects with the signal's reason if it aborts first. */
export async function untilStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(stop.reason);
  if (stop.aborted) onAbort();
  stop.addEventListener('abort', onAbort, { once: true });
  // Avoid an unhandled rejection.
  work.catch(() => {});
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
}
