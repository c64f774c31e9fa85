import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from 'electron';
import { parseCallback } from '../../account/callback.ts';

/**
 * Launches by a `tilelift:` link on Windows: `Tilelift.exe --link -- "%1"`. The link is untrusted: arguments
 * after the two dashes are no switches for Chromium, Node or Tilelift, and after the marker only a single
 * link counts.
 */

/** Registered in front of every link. */
const linkMarker = '--link';
const endOfSwitches = '--';

/** The registered arguments before a link. */
export const linkArguments: readonly string[] = [linkMarker, endOfSwitches];

/** The arguments before the two dashes, which may be switches. */
export function switchesIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf(endOfSwitches);
  return end < 0 ? args : args.slice(0, end);
}

/** A link launch: ignore all other arguments. */
function isLinkLaunch(args: readonly string[]): boolean {
  return switchesIn(args).includes(linkMarker);
}

/**
 * Returns the arguments that may be links: those after the two dashes of a link launch, else all (macOS,
 * Linux, and registrations of earlier versions).
 */
function linksIn(args: readonly string[]): readonly string[] {
  return isLinkLaunch(args) ? args.slice(switchesIn(args).length + 1) : args;
}

/** Launches without a window (design, "Watch rules"). */
export const backgroundArgument = '--background';

export function isBackgroundLaunch(args: readonly string[]): boolean {
  return switchesIn(args).includes(backgroundArgument);
}

/** Also true for macOS login items, which get no arguments. */
export function isBackgroundStart(app: Pick<App, 'getLoginItemSettings'>, args: readonly string[]): boolean {
  return (
    isBackgroundLaunch(args) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
  );
}

/**
 * Returns the callback address of a launch. Chromium reorders and extends the arguments of a second launch,
 * so exactly one must parse as ours.
 */
export function callbackArgument(args: readonly string[]): string | undefined {
  const callbacks = linksIn(args).filter((argument) => parseCallback(argument) !== null);
  return callbacks.length === 1 ? callbacks[0] : undefined;
}

/**
 * The files and folders of a launch: absolute paths or `file:` addresses (Linux), without the program's own
 * paths. Ignores everything from link launches, which are untrusted. Pure.
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
