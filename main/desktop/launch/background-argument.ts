import type { App } from 'electron';
import { switchesIn } from './link-launch.ts';

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
