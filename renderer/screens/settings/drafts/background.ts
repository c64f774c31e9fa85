import type {
  AppInfo,
  BackgroundChoices,
  BackgroundView,
  WithoutWindow,
} from '../../../../preload/contract.ts';
import { backgroundSwitchNames } from '../../../../shared/background.ts';
import { say } from '../../../say.ts';

interface BackgroundChoice {
  readonly key: keyof BackgroundChoices;
  readonly label: string;
  readonly detail: string;
  readonly on: boolean;
  readonly canChange: boolean;
}

export function backgroundChoices(
  view: BackgroundView,
  platform: AppInfo['platform'],
): readonly BackgroundChoice[] {
  return [
    {
      key: 'startAtLogin',
      label: say('settings.background.startAtLogin'),
      detail: view.canStartAtLogin
        ? say('settings.background.startAtLoginDetail')
        : say('settings.background.startAtLoginByHand'),
      on: view.startAtLogin,
      canChange: view.canStartAtLogin,
    },
    {
      key: 'keepRunning',
      label: say('settings.background.keepRunning'),
      detail: keepRunningDetail(view.withoutWindow, platform),
      on: view.keepRunning,
      // On macOS programs keep running without a window.
      canChange: platform !== 'darwin',
    },
    ...backgroundSwitchNames.map((key) => ({
      key,
      label: say(`settings.background.${key}`),
      detail: say(`settings.background.${key}Detail`),
      on: view[key],
      canChange: true,
    })),
  ];
}

function keepRunningDetail(windowMode: WithoutWindow, platform: AppInfo['platform']): string {
  if (windowMode === 'quits') return say('settings.background.keepRunningOff');
  if (windowMode === 'stays-for-uploads') return say('settings.background.keepRunningForUploads');
  return say(
    platform === 'darwin' ? 'settings.background.keepRunningMenuBar' : 'settings.background.keepRunningTray',
  );
}
