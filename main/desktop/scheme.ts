import type { App } from 'electron';

/**
 * Makes this program the one that the system starts for `tilelift:` addresses. Installed packages bring their own
 * registration; an unpacked run needs its folder among the arguments. On Linux the package's menu entry is all there is to
 * it: claiming there goes through xdg-settings, which on GNOME makes the program that of HTML files as well (xdg-utils 1.1).
 */
export function claimScheme(app: App, launchArguments: readonly string[]): void {
  if (process.platform === 'linux') return;
  const folder = launchArguments[1];
  if (app.isPackaged) app.setAsDefaultProtocolClient('tilelift');
  else if (folder !== undefined) app.setAsDefaultProtocolClient('tilelift', process.execPath, [folder]);
}
