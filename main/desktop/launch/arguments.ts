import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from 'electron';
import { parseCallback } from '../../account/callback.ts';

/**
 * A launch by a `tilelift:` link on Windows: `Tilelift.exe --link -- "%1"`. The system puts the link in as it
 * stands, and what stands in it is anyone's: behind the two dashes nothing is a switch any more, for Chromium
 * and Node as for us, and behind the marker nothing but one link counts.
 */

/** Put before every link by what Tilelift registers. */
const linkMarker = '--link';
const endOfSwitches = '--';

/** What the system is to put before a link. */
export const linkArguments: readonly string[] = [linkMarker, endOfSwitches];

/** The arguments that may be switches: those before the two dashes. */
export function switchesIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf(endOfSwitches);
  return end < 0 ? args : args.slice(0, end);
}

/** Whether the launch was by a link: nothing else that it brings along is the person's. */
function isLinkLaunch(args: readonly string[]): boolean {
  return switchesIn(args).includes(linkMarker);
}

/**
 * The arguments among which a link may be: of a launch by a link what stands behind the two dashes, and all
 * of any other (macOS and Linux, and registrations of earlier versions).
 */
function linksIn(args: readonly string[]): readonly string[] {
  return isLinkLaunch(args) ? args.slice(switchesIn(args).length + 1) : args;
}

/** A launch with this argument opens no window (design, "Watch rules"). */
export const backgroundArgument = '--background';

/** Whether a launch, the first or a later one, is to leave the person alone. */
export function isBackgroundLaunch(args: readonly string[]): boolean {
  return switchesIn(args).includes(backgroundArgument);
}

/** Whether this first launch is one. macOS gives login items no arguments, it tells. */
export function isBackgroundStart(app: Pick<App, 'getLoginItemSettings'>, args: readonly string[]): boolean {
  return (
    isBackgroundLaunch(args) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
  );
}

/**
 * The callback address among a launch's arguments. Chromium reorders and extends the arguments of a second
 * launch, so exactly one argument must parse as ours; with none or several there is no callback.
 */
export function callbackArgument(args: readonly string[]): string | undefined {
  const found = linksIn(args).filter((argument) => parseCallback(argument) !== null);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The files and folders that a launch was given: absolute paths, or `file:` addresses, as Linux hands them
 * over. Options, relative paths and what belongs to the program itself (`own`) are none. A launch by a
 * `tilelift:` link brings no data: what stands beside the link did not come from this computer's person.
 * Pure.
 */
export function givenPaths(args: readonly string[], own: readonly string[]): readonly string[] {
  if (isLinkLaunch(args) || args.some((argument) => /^tilelift:/i.test(argument))) return [];
  const paths = args.map(pathOf).filter((path) => path !== null);
  const others = new Set(own.map((path) => normalize(path)));
  return [...new Set(paths)].filter((path) => !others.has(path));
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
