import type { App } from 'electron';
import { chooseSpeech } from '../../strings/languages.ts';
import { speak } from '../../strings/say.ts';
import type { SettingsStore } from '../settings.ts';

/** Speaks what the person chose, or what the system speaks. Electron must be ready. */
export function applyLocale(app: App, settings: SettingsStore): void {
  speak(chooseSpeech(settings.get().language, app.getPreferredSystemLanguages()));
}
