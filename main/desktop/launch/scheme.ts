import { execFile } from 'node:child_process';
import type { App } from 'electron';
import { linkArguments } from './arguments.ts';

/** A system that does not say who opens links within this time (ms) has nobody. */
const answerLimitMs = 3_000;

/** Arguments before a link, which this program is registered with; null for a run that can't be. */
function argumentsBefore(app: App, launchArguments: readonly string[]): readonly string[] | null {
  const folder = launchArguments[1];
  return app.isPackaged ? [] : folder === undefined ? null : [folder];
}

/**
 * Makes this program the one that the system starts for `tilelift:` addresses. Installed packages bring their
 * own registration; an unpacked run needs its folder among the arguments. On Linux the package's menu entry
 * is all there is to it: claiming there goes through xdg-settings, which on GNOME makes the program that of
 * HTML files as well (xdg-utils 1.1). On Windows the link comes behind a marker, so that it is never taken
 * for a switch.
 */
export function claimScheme(
  app: App,
  launchArguments: readonly string[],
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'linux') return;
  const before = argumentsBefore(app, launchArguments);
  if (before) app.setAsDefaultProtocolClient('tilelift', process.execPath, [...before, ...linkArguments]);
}

/**
 * Whether the system hands `tilelift:` addresses to this program; on Linux, to any: which one a menu entry
 * starts is not told. False for a portable copy, an AppImage without menu entry, and where claiming is
 * denied. Never rejects.
 */
export async function hasScheme(
  app: App,
  launchArguments: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (platform === 'linux') return (await linuxHandler()) !== '';
  const before = argumentsBefore(app, launchArguments);
  return (
    before !== null &&
    app.isDefaultProtocolClient('tilelift', process.execPath, [...before, ...linkArguments])
  );
}

/** The desktop entry that opens such links; empty where there is none, or nothing that could tell. */
function linuxHandler(): Promise<string> {
  const question = ['query', 'default', 'x-scheme-handler/tilelift'];
  return new Promise((resolve) => {
    execFile('xdg-mime', question, { timeout: answerLimitMs }, (error, output) =>
      resolve(error ? '' : output.trim()),
    );
  });
}
