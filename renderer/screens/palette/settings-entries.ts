import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';
import type { Stores } from '../../state/stores.ts';
import type { Entry } from './entries.ts';

type Synonyms =
  Extract<Key, `palette.synonyms.${string}`> extends `palette.synonyms.${infer Name}` ? Name : never;

const background = 'settings.background.title';
const alerts = 'settings.alerts.title';

/** Label and synonyms of each setting, and the title of its section if that differs. */
const settings: readonly (readonly [label: Key, synonyms: Synonyms, section?: Key])[] = [
  ['settings.appearance.title', 'appearance'],
  ['language.title', 'language'],
  ['settings.bandwidth.title', 'bandwidth'],
  ['settings.background.startAtLogin', 'startAtLogin', background],
  ['settings.background.keepRunning', 'keepRunning', background],
  ['settings.background.keepAwake', 'keepAwake', background],
  ['settings.background.notify', 'notify', background],
  ['settings.background.askBeforeQuit', 'askBeforeQuit', background],
  ['settings.alerts.mail', 'mail', alerts],
  ['settings.alerts.webhook', 'webhook', alerts],
  ['settings.alerts.heartbeat', 'heartbeat', alerts],
  ['settings.network.title', 'network'],
  ['settings.keychain.title', 'keychain'],
  ['settings.updates.title', 'updates'],
  ['settings.logs.title', 'logs'],
  ['settings.about.title', 'about'],
];

/** Every setting, found by its label, section and synonyms. */
export function settingsEntries({ account, guide }: Stores): readonly Entry[] {
  const accounts = account.several ? 'settings.account.several' : 'settings.account.one';
  const withAccounts: typeof settings = [...settings, [accounts, 'account']];
  return withAccounts.map(([label, synonyms, section]) => ({
    id: `setting:${label}`,
    group: 'settings',
    label: say(label),
    detail: say(section ?? 'shell.settings'),
    keywords: say(`palette.synonyms.${synonyms}`),
    onlyFound: true,
    run: () => guide.openSettings(say(section ?? label)),
  }));
}
