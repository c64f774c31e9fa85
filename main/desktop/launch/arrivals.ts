import { stat } from 'node:fs/promises';
import type { App } from 'electron';
import type { Clock } from '../../ports.ts';
import { callbackArgument, pathsIn } from './arguments.ts';

/**
 * `open-url` on macOS, launch arguments elsewhere. Create it before Electron is ready; early callbacks wait.
 */
export interface CallbackSource {
  listen(listener: (address: string) => void): void;
}

export function watchForCallbacks(app: App, launchArguments: readonly string[]): CallbackSource {
  let listener: ((address: string) => void) | undefined;
  const earlyAddresses: string[] = [];
  const receiveAddress = (address: string | undefined) => {
    if (address === undefined) return;
    if (listener) listener(address);
    else earlyAddresses.push(address);
  };
  app.on('open-url', (event, address) => {
    event.preventDefault();
    receiveAddress(callbackArgument([address]));
  });
  app.on('second-instance', (_event, secondArguments) => receiveAddress(callbackArgument(secondArguments)));
  receiveAddress(callbackArgument(launchArguments));
  return {
    listen: (newListener) => {
      listener = newListener;
      for (const address of earlyAddresses.splice(0)) newListener(address);
    },
  };
}

/** `open-file` on macOS, launch arguments elsewhere. Create it before Electron is ready; early paths wait. */
export interface LaunchSources {
  /** Simultaneous paths come together; all exist. */
  listen(listener: (paths: readonly string[]) => void): void;
}

/** Systems pass entries one by one; this long (ms) they belong together. */
const togetherMs = 250;

export function watchForSources(
  app: Pick<App, 'on' | 'getAppPath' | 'isPackaged'>,
  launchArguments: readonly string[],
  clock: Clock,
): LaunchSources {
  // An unpackaged program gets its own folder as an argument.
  const programPaths = [
    process.execPath,
    app.getAppPath(),
    ...launchArguments.slice(0, app.isPackaged ? 1 : 2),
  ];
  let listener: ((paths: readonly string[]) => void) | undefined;
  const pendingPaths = new Set<string>();
  let isGathering = false;
  const handOver = async () => {
    await clock.sleep(togetherMs);
    const paths = [...pendingPaths];
    pendingPaths.clear();
    isGathering = false;
    const existingPaths = await existing(paths);
    if (existingPaths.length > 0) listener?.(existingPaths);
  };
  const emitPending = () => {
    if (!listener || isGathering || pendingPaths.size === 0) return;
    isGathering = true;
    void handOver();
  };
  const receiveArguments = (args: readonly string[]) => {
    for (const path of pathsIn(args, programPaths)) pendingPaths.add(path);
    emitPending();
  };
  app.on('open-file', (event, path) => {
    event.preventDefault();
    receiveArguments([path]);
  });
  app.on('second-instance', (_event, secondArguments) => receiveArguments(secondArguments));
  receiveArguments(launchArguments);
  return {
    listen: (newListener) => {
      listener = newListener;
      emitPending();
    },
  };
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const accessible = await Promise.all(
    paths.map(async (path) => {
      const kind = await stat(path).catch(() => null);
      return kind?.isDirectory() || kind?.isFile() ? path : null;
    }),
  );
  return accessible.filter((path) => path !== null);
}
