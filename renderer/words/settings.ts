import { backgroundSwitchNames } from '../../shared/background.ts';
import type { Key } from '../../strings/say.ts';
import { say } from '../say.ts';
import { scoreOf, wordsIn } from './find-words.ts';

export type Synonyms =
  Extract<Key, `palette.synonyms.${string}`> extends `palette.synonyms.${infer Name}` ? Name : never;

const background = 'settings.background.title';
const alerts = 'settings.alerts.title';

/** Label and synonyms of each setting, and the title of its section if that differs. */
export const settings: readonly (readonly [label: Key, synonyms: Synonyms, section?: Key])[] = [
  ['settings.appearance.title', 'appearance'],
  ['language.title', 'language'],
  ['settings.bandwidth.title', 'bandwidth'],
  ['settings.background.startAtLogin', 'startAtLogin', background],
  ['settings.background.keepRunning', 'keepRunning', background],
  ...backgroundSwitchNames.map((name) => [`settings.background.${name}`, name, background] as const),
  ['settings.alerts.mail', 'mail', alerts],
  ['settings.alerts.webhook', 'webhook', alerts],
  ['settings.alerts.heartbeat', 'heartbeat', alerts],
  ['settings.network.title', 'network'],
  ['settings.keychain.title', 'keychain'],
  ['policy.title', 'policy'],
  ['settings.updates.title', 'updates'],
  ['settings.logs.title', 'logs'],
  ['settings.about.title', 'about'],
  ['settings.account.one', 'account'],
  ['settings.account.several', 'account'],
];

/** Whether a section of the settings has all words of the search, in itself or in one of its settings. */
export function hasSetting(search: string, title: string, detail: string): boolean {
  const texts = settings
    .filter(([label, , section]) => say(section ?? label) === title)
    .flatMap(([label, synonyms]) => [say(label), say(`palette.synonyms.${synonyms}`)]);
  const weightedTexts = [title, detail, ...texts].map((text) => ({ text, weight: 1, least: 2 as const }));
  const words = wordsIn(search);
  return words.length === 0 || scoreOf(words, weightedTexts) > 0;
}
