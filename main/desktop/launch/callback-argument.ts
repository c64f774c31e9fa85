import { parseCallback } from '../../account/callback.ts';
import { linksIn } from './link-launch.ts';

/**
 * The callback address among a launch's arguments. Chromium reorders and extends the arguments of a second launch, so
 * exactly one argument must parse as ours; with none or several there is no callback.
 */
export function callbackArgument(args: readonly string[]): string | undefined {
  const found = linksIn(args).filter((argument) => parseCallback(argument) !== null);
  return found.length === 1 ? found[0] : undefined;
}
