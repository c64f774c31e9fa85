import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from 'electron';
import { parseCallback } from '../../account/model/callback.ts';

/**
 * Links on Windows: `Tilelift.exe --link -- "%1"`. They are untrusted: after the dashes nothing is a switch,
 * and after the marker only one link counts.
 */

/** Registered in front of every link. */
const linkMarker = '--link';
const endOfSwitches = '--';

export const linkArguments: readonly string[] = [linkMarker, endOfSwitches];

/** The arguments before the two dashes, which may be switches. */
export function switchesIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf(endOfSwitches);
  return end < 0 ? args : args.slice(0, end);
}

/** Ignore all its other arguments. */
function isLinkLaunch(args: readonly string[]): boolean {
  return switchesIn(args).includes(linkMarker);
}

/** After the dashes of a link launch; elsewhere (macOS, Linux, earlier registrations) any argument. */
function linksIn(args: readonly string[]): readonly string[] {
  return isLinkLaunch(args) ? args.slice(switchesIn(args).length + 1) : args;
}

/** Launches without a window. */
export const backgroundArgument = '--background';

export function isBackgroundLaunch(args: readonly string[]): boolean {
  return switchesIn(args).includes(backgroundArgument);
}

/** macOS login items get no arguments. */
export function isBackgroundStart(app: Pick<App, 'getLoginItemSettings'>, args: readonly string[]): boolean {
  return (
    isBackgroundLaunch(args) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
  );
}

/** Chromium reorders and extends a second launch's arguments: exactly one must parse as ours. */
export function callbackArgument(args: readonly string[]): string | undefined {
  const callbacks = linksIn(args).filter((argument) => parseCallback(argument) !== null);
  return callbacks.length === 1 ? callbacks[0] : undefined;
}

/**
 * Absolute paths or `file:` addresses (Linux), but not the program's own. Ignores untrusted link launches.
 * Pure.
 */
export function pathsIn(args: readonly string[], programPaths: readonly string[]): readonly string[] {
  if (isLinkLaunch(args) || args.some((argument) => /^tilelift:/i.test(argument))) return [];
  const paths = args.map(pathOf).filter((path) => path !== null);
  const excludedPaths = new Set(programPaths.map((path) => normalize(path)));
  return [...new Set(paths)].filter((path) => !excludedPaths.has(path));
}

function pathOf(argument: string): string | null {
  if (argument.includes('\0')) return null;
  if (isAbsolute(argument)) return normalize(argument);
  if (!/^file:\/\//i.test(argument)) return null;
  try {
    const path = normalize(fileURLToPath(argument));
    return path.includes('\0') ? null : path;
  } catch {
    return null;
  }
}
