import { execFile } from 'node:child_process';
import type { App } from 'electron';
import { linkArguments } from './arguments.ts';

const answerLimitMs = 3_000;

/** Null if this run can't be registered. */
function prefixArguments(app: App, launchArguments: readonly string[]): readonly string[] | null {
  const folder = launchArguments[1];
  return app.isPackaged ? [] : folder === undefined ? null : [folder];
}

/**
 * Registers for `tilelift:`; an unpackaged run needs its folder. Linux packages use their menu entry:
 * xdg-settings would claim HTML files on GNOME (xdg-utils 1.1). On Windows a marker keeps links from becoming
 * switches.
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
 * On Linux true for any program, since the entry's is unknown. False for portable copies, AppImages without
 * an entry, or if denied. Never rejects.
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

/** Empty if none or unknown. */
function linuxHandler(): Promise<string> {
  const question = ['query', 'default', 'x-scheme-handler/tilelift'];
  return new Promise((resolve) => {
    execFile('xdg-mime', question, { timeout: answerLimitMs }, (error, output) =>
      resolve(error ? '' : output.trim()),
    );
  });
}
