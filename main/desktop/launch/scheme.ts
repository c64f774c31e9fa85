import type { App } from 'electron';
import { linkArguments } from './link-launch.ts';

/**
 * Makes this program the one that the system starts for `tilelift:` addresses. Installed packages bring their own
 * registration; an unpacked run needs its folder among the arguments. On Linux the package's menu entry is all there is to
 * it: claiming there goes through xdg-settings, which on GNOME makes the program that of HTML files as well (xdg-utils 1.1).
 * On Windows the link comes behind a marker, so that it is never taken for a switch.
 */
export function claimScheme(
  app: App,
  launchArguments: readonly string[],
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'linux') return;
  const folder = launchArguments[1];
  const before = app.isPackaged ? [] : folder === undefined ? null : [folder];
  if (before) app.setAsDefaultProtocolClient('tilelift', process.execPath, [...before, ...linkArguments]);
}
