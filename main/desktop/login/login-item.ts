import type { App } from 'electron';
import { TileliftError } from '../../errors.ts';
import { backgroundArgument } from '../launch/arguments.ts';
import { autostartFile, autostartFileItem, autostartProgram } from './xdg-autostart.ts';

/** Starts Tilelift without a window at login. */
export interface LoginItem {
  readonly available: boolean;
  isOn(): boolean;
  /** @throws TileliftError `login-item-unavailable` */
  set(isOn: boolean): void;
}

/** A program that isn't installed may be gone at the next login. */
const unavailableItem: LoginItem = {
  available: false,
  isOn: () => false,
  set: (isOn) => {
    if (isOn) throw new TileliftError('login-item-unavailable');
  },
};

export function createLoginItem(app: App, platform: NodeJS.Platform): LoginItem {
  if (!app.isPackaged) return unavailableItem;
  switch (platform) {
    case 'darwin':
      return electronItem(app);
    case 'win32':
      return electronItem(app, [backgroundArgument]);
    case 'linux':
      return { available: true, ...autostartItem(app) };
    default:
      return unavailableItem;
  }
}

function autostartItem(app: App) {
  return autostartFileItem({
    file: autostartFile(process.env, app.getPath('home')),
    program: autostartProgram(process.env, process.execPath),
    args: [backgroundArgument],
  });
}

/** macOS reports starts at login instead of passing arguments. */
function electronItem(app: App, args?: string[]): LoginItem {
  const argumentOptions = args ? { args } : {};
  const isOn = () => {
    const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(argumentOptions);
    // Users may disable it in Windows' list; `enabled` resets that.
    return openAtLogin && (!args || executableWillLaunchAtLogin);
  };
  return {
    available: true,
    isOn,
    set: (enable) => {
      app.setLoginItemSettings({
        ...argumentOptions,
        openAtLogin: enable,
        ...(args ? { enabled: enable } : {}),
      });
      if (isOn() !== enable) throw new TileliftError('login-item-unavailable');
    },
  };
}
