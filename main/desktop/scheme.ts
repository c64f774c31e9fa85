import type { App } from 'electron';

/**
 * Makes this program the one that the system starts for `tilelift:` addresses. Installed packages bring their own
 * registration; an unpacked run needs its folder among the arguments.
 */
export function claimScheme(app: App, launchArguments: readonly string[]): void {
  const folder = launchArguments[1];
  if (app.isPackaged) app.setAsDefaultProtocolClient('tilelift');
  else if (folder !== undefined) app.setAsDefaultProtocolClient('tilelift', process.execPath, [folder]);
}
