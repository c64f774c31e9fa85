import type { WithoutWindow } from '../../../shared/background.ts';
import { backgroundSwitchesSchema } from '../../../shared/schemas/settings.ts';
import type { BackgroundParts } from '../../ipc/handlers/background-handlers.ts';
import type { SettingsStore } from '../../settings.ts';
import type { LoginItem } from './login-item.ts';

interface BackgroundOptions {
  readonly settings: SettingsStore;
  readonly loginItem: LoginItem;
  /** Null: undecided. */
  readonly withoutWindow: (keepRunning: boolean | null) => WithoutWindow;
  readonly onSet: () => void;
}

/** The background settings for the page. */
export function createBackground(options: BackgroundOptions): BackgroundParts['background'] {
  const { settings, loginItem, withoutWindow, onSet } = options;
  const withoutWindowMode = () => withoutWindow(settings.get().background.keepRunning);
  const keepsRunning = () => withoutWindowMode() === 'stays';
  const state = () => {
    return {
      ...backgroundSwitchesSchema.parse(settings.get().background),
      startAtLogin: loginItem.available && loginItem.isOn(),
      canStartAtLogin: loginItem.available,
      keepRunning: keepsRunning(),
      withoutWindow: withoutWindowMode(),
    };
  };
  return {
    state,
    set: ({ startAtLogin, keepRunning, ...switches }) => {
      if (startAtLogin !== state().startAtLogin) loginItem.set(startAtLogin);
      const { background } = settings.get();
      settings.update({
        background: {
          ...background,
          ...switches,
          // Stay undecided if unchanged.
          keepRunning: keepRunning === keepsRunning() ? background.keepRunning : keepRunning,
        },
      });
      onSet();
      return state();
    },
  };
}
