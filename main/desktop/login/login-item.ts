import type { App } from 'electron';
import { TileliftError } from '../../errors.ts';
import { backgroundArgument } from '../launch/arguments.ts';
import { autostartFile, autostartFileItem, autostartProgram } from './xdg-autostart.ts';

/** Tilelift among the programs that start with the person's session, without a window. */
export interface LoginItem {
  /** Where it is not, it can be neither read nor set. */
  readonly available: boolean;
  isOn(): boolean;
  /** @throws TileliftError `login-item-unavailable` */
  set(on: boolean): void;
}

/** A program that is not installed has no place that will be there at the next login. */
const none: LoginItem = {
  available: false,
  isOn: () => false,
  set: (on) => {
    if (on) throw new TileliftError('login-item-unavailable');
  },
};

export function createLoginItem(app: App, platform: NodeJS.Platform): LoginItem {
  if (!app.isPackaged) return none;
  switch (platform) {
    case 'darwin':
      return electronItem(app);
    case 'win32':
      return electronItem(app, [backgroundArgument]);
    case 'linux':
      return { available: true, ...autostartItem(app) };
    default:
      return none;
  }
}

function autostartItem(app: App) {
  return autostartFileItem({
    file: autostartFile(process.env, app.getPath('home')),
    program: autostartProgram(process.env, process.execPath),
    args: [backgroundArgument],
  });
}

/** macOS takes no arguments: there the system tells that the start was at login. */
function electronItem(app: App, args?: string[]): LoginItem {
  const how = args ? { args } : {};
  const isOn = () => {
    const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(how);
    // On Windows a person may have switched the entry off in the system's own list; `enabled` switches it on
    // there too.
    return openAtLogin && (!args || executableWillLaunchAtLogin);
  };
  return {
    available: true,
    isOn,
    set: (on) => {
      app.setLoginItemSettings({ ...how, openAtLogin: on, ...(args ? { enabled: on } : {}) });
      if (isOn() !== on) throw new TileliftError('login-item-unavailable');
    },
  };
}
