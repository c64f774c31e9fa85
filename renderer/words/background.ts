/** What Tilelift does while nobody looks, as a person chooses it. */

import type { AppInfo, BackgroundView } from '../../preload/contract.ts';

export interface BackgroundChoice {
  readonly key: keyof Omit<BackgroundView, 'canStartAtLogin'>;
  readonly label: string;
  readonly detail: string;
  readonly on: boolean;
  readonly canChange: boolean;
}

export function backgroundChoices(
  view: BackgroundView,
  platform: AppInfo['platform'],
): readonly BackgroundChoice[] {
  const tray = platform === 'darwin' ? 'the menu bar' : 'the tray';
  return [
    {
      key: 'startAtLogin',
      label: 'Start at login',
      detail: view.canStartAtLogin
        ? 'Without a window, as soon as you sign in to this computer.'
        : 'This system does not let Tilelift set it. Add Tilelift to the programs that start at login yourself, with the argument --background.',
      on: view.startAtLogin,
      canChange: view.canStartAtLogin,
    },
    {
      key: 'keepRunning',
      label: 'Keep running when the window is closed',
      detail: view.keepRunning
        ? `Open or quit it from ${tray}.`
        : 'Closing the window ends Tilelift; uploads and watched folders go on at the next start.',
      on: view.keepRunning,
      canChange: true,
    },
    {
      key: 'keepAwake',
      label: 'Keep the computer awake while uploading',
      detail: 'The screen may still turn off.',
      on: view.keepAwake,
      canChange: true,
    },
    {
      key: 'notify',
      label: 'Notifications',
      detail: 'How an upload has ended, and what watched folders have done, some sources at a time.',
      on: view.notify,
      canChange: true,
    },
    {
      key: 'askBeforeQuit',
      label: 'Ask before quitting while uploading',
      detail: 'Uploads go on at the next start either way.',
      on: view.askBeforeQuit,
      canChange: true,
    },
  ];
}
