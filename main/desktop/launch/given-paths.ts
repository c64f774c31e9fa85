import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLinkLaunch } from './link-launch.ts';

/**
 * The files and folders that a launch was given: absolute paths, or `file:` addresses, as Linux hands them over. Options, relative paths and what belongs to the
 * program itself (`own`) are none. A launch by a `tilelift:` link brings no data: what stands beside the link did not come from this computer's person. Pure.
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
