import { execFile } from 'node:child_process';
import type { App } from 'electron';
import { linkArguments } from './arguments.ts';

/** Timeout of the query for the handler of links, ms. */
const answerLimitMs = 3_000;

/** The registered arguments before a link; null if this run can't be registered. */
function prefixArguments(app: App, launchArguments: readonly string[]): readonly string[] | null {
  const folder = launchArguments[1];
  return app.isPackaged ? [] : folder === undefined ? null : [folder];
}

/**
 * Registers this program for `tilelift:` addresses; an unpackaged run needs its folder as an argument. Linux
 * packages register by their menu entry, and xdg-settings would make the program handle HTML files on GNOME
 * too (xdg-utils 1.1). On Windows a marker precedes the link, so that it can't become a switch.
 */
export function claimScheme(
  app: App,
  launchArguments: readonly string[],
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'linux') return;
  const prefix = prefixArguments(app, launchArguments);
  if (prefix) app.setAsDefaultProtocolClient('tilelift', process.execPath, [...prefix, ...linkArguments]);
}

/**
 * Whether the system opens `tilelift:` addresses with this program; on Linux with any, since the entry's
 * program is unknown. False for portable copies, AppImages without a menu entry, and if registering is
 * forbidden. Never rejects.
 */
export async function hasScheme(
  app: App,
  launchArguments: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (platform === 'linux') return (await linuxHandler()) !== '';
  const prefix = prefixArguments(app, launchArguments);
  return (
    prefix !== null &&
    app.isDefaultProtocolClient('tilelift', process.execPath, [...prefix, ...linkArguments])
  );
}

/** The desktop entry for such links; empty if none or unknown. */
function linuxHandler(): Promise<string> {
  const question = ['query', 'default', 'x-scheme-handler/tilelift'];
  return new Promise((resolve) => {
    execFile('xdg-mime', question, { timeout: answerLimitMs }, (error, output) =>
      resolve(error ? '' : output.trim()),
    );
  });
}
