import { stat } from 'node:fs/promises';
import type { App } from 'electron';
import type { Clock } from '../../outside.ts';
import { callbackArgument, givenPaths } from './arguments.ts';

/**
 * Callback addresses as the system hands them over: `open-url` on macOS, the first launch's or a second
 * launch's arguments elsewhere. Whatever is no well-formed callback goes no further. Must be made before
 * Electron is ready; what arrives early waits for the first listener.
 */
export interface CallbackSource {
  listen(listener: (address: string) => void): void;
}

export function watchForCallbacks(app: App, launchArguments: readonly string[]): CallbackSource {
  let listener: ((address: string) => void) | undefined;
  const early: string[] = [];
  const arrived = (address: string | undefined) => {
    if (address === undefined) return;
    if (listener) listener(address);
    else early.push(address);
  };
  app.on('open-url', (event, address) => {
    event.preventDefault();
    arrived(callbackArgument([address]));
  });
  app.on('second-instance', (_event, secondArguments) => arrived(callbackArgument(secondArguments)));
  arrived(callbackArgument(launchArguments));
  return {
    listen: (given) => {
      listener = given;
      for (const address of early.splice(0)) given(address);
    },
  };
}

/**
 * Files and folders that the system hands over: *Open with*, a drop on the icon, a path on the command line.
 * By `open-file` on macOS, among the first launch's or a second launch's arguments elsewhere. Must be made
 * before Electron is ready; what arrives early waits for the listener.
 */
export interface GivenSources {
  /** Called with existing paths, several that come at once together. */
  listen(listener: (paths: readonly string[]) => void): void;
}

/** Systems hand over several entries one by one; those within this time (ms) belong together. */
const togetherMs = 250;

export function watchForSources(
  app: Pick<App, 'on' | 'getAppPath' | 'isPackaged'>,
  launchArguments: readonly string[],
  clock: Clock,
): GivenSources {
  // A program that is not packed is given its own folder.
  const own = [process.execPath, app.getAppPath(), ...launchArguments.slice(0, app.isPackaged ? 1 : 2)];
  let listener: ((paths: readonly string[]) => void) | undefined;
  const waiting = new Set<string>();
  let gathering = false;
  const handOver = async () => {
    await clock.sleep(togetherMs);
    const paths = [...waiting];
    waiting.clear();
    gathering = false;
    const there = await existing(paths);
    if (there.length > 0) listener?.(there);
  };
  const look = () => {
    if (!listener || gathering || waiting.size === 0) return;
    gathering = true;
    void handOver();
  };
  const arrived = (args: readonly string[]) => {
    for (const path of givenPaths(args, own)) waiting.add(path);
    look();
  };
  app.on('open-file', (event, path) => {
    event.preventDefault();
    arrived([path]);
  });
  app.on('second-instance', (_event, secondArguments) => arrived(secondArguments));
  arrived(launchArguments);
  return {
    listen: (given) => {
      listener = given;
      look();
    },
  };
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const kind = await stat(path).catch(() => null);
      return kind?.isDirectory() || kind?.isFile() ? path : null;
    }),
  );
  return found.filter((path) => path !== null);
}
