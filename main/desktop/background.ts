import type { BackgroundParts } from '../ipc/background-handlers.ts';
import type { SettingsStore } from '../settings.ts';

export function createBackground(settings: SettingsStore): BackgroundParts['background'] {
  void settings;
  return {
    state: () => ({
      startAtLogin: false,
      canStartAtLogin: false,
      keepRunning: false,
      keepAwake: true,
      notify: true,
    }),
    set: () => {
      throw new Error('not yet');
    },
  };
}
