import type { App } from 'electron';
import { callbackArgument } from './callback-argument.ts';

/**
 * Callback addresses as the system hands them over: `open-url` on macOS, the first launch's or a second launch's
 * arguments elsewhere. Whatever is no well-formed callback goes no further. Must be made before Electron is ready; what
 * arrives early waits for the first listener.
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
