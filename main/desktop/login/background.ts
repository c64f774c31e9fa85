import type { BackgroundParts } from '../../ipc/handlers/background-handlers.ts';
import type { SettingsStore } from '../../settings.ts';
import type { LoginItem } from './login-item.ts';

interface BackgroundOptions {
  readonly settings: SettingsStore;
  readonly loginItem: LoginItem;
  /** Whether it would stay without its window where the person has not said. */
  readonly staysByItself: () => boolean;
  /** What was set counts at once. */
  readonly onSet: () => void;
}

/** What Tilelift does while nobody looks, as the page sees and sets it. */
export function createBackground(options: BackgroundOptions): BackgroundParts['background'] {
  const { settings, loginItem, staysByItself, onSet } = options;
  const keepsRunning = () => settings.get().background.keepRunning ?? staysByItself();
  const state = () => {
    const { keepAwake, notify, askBeforeQuit } = settings.get().background;
    return {
      startAtLogin: loginItem.available && loginItem.isOn(),
      canStartAtLogin: loginItem.available,
      keepRunning: keepsRunning(),
      keepAwake,
      notify,
      askBeforeQuit,
    };
  };
  return {
    state,
    set: ({ startAtLogin, keepRunning, keepAwake, notify, askBeforeQuit }) => {
      if (startAtLogin !== state().startAtLogin) loginItem.set(startAtLogin);
      const { background } = settings.get();
      settings.update({
        background: {
          ...background,
          // What was left as it is was not said.
          keepRunning: keepRunning === keepsRunning() ? background.keepRunning : keepRunning,
          keepAwake,
          notify,
          askBeforeQuit,
        },
      });
      onSet();
      return state();
    },
  };
}
