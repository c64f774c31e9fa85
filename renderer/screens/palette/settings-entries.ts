import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';
import type { Stores } from '../../state/stores.ts';
import type { Entry } from './entries.ts';

interface Setting {
  readonly label: Key;
  /** Title of the section in the settings; the label by default. */
  readonly section?: Key;
  readonly synonyms: Key;
}

const settings: readonly Setting[] = [
  { label: 'settings.appearance.title', synonyms: 'palette.synonyms.appearance' },
  { label: 'language.title', synonyms: 'palette.synonyms.language' },
  { label: 'settings.bandwidth.title', synonyms: 'palette.synonyms.bandwidth' },
  {
    label: 'settings.background.startAtLogin',
    section: 'settings.background.title',
    synonyms: 'palette.synonyms.startAtLogin',
  },
  {
    label: 'settings.background.keepRunning',
    section: 'settings.background.title',
    synonyms: 'palette.synonyms.keepRunning',
  },
  {
    label: 'settings.background.keepAwake',
    section: 'settings.background.title',
    synonyms: 'palette.synonyms.keepAwake',
  },
  {
    label: 'settings.background.notify',
    section: 'settings.background.title',
    synonyms: 'palette.synonyms.notify',
  },
  {
    label: 'settings.background.askBeforeQuit',
    section: 'settings.background.title',
    synonyms: 'palette.synonyms.askBeforeQuit',
  },
  { label: 'settings.alerts.mail', section: 'settings.alerts.title', synonyms: 'palette.synonyms.mail' },
  { label: 'settings.alerts.webhook', section: 'settings.alerts.title', synonyms: 'palette.synonyms.webhook' },
  {
    label: 'settings.alerts.heartbeat',
    section: 'settings.alerts.title',
    synonyms: 'palette.synonyms.heartbeat',
  },
  { label: 'settings.network.title', synonyms: 'palette.synonyms.network' },
  { label: 'settings.keychain.title', synonyms: 'palette.synonyms.keychain' },
  { label: 'settings.updates.title', synonyms: 'palette.synonyms.updates' },
  { label: 'settings.logs.title', synonyms: 'palette.synonyms.logs' },
  { label: 'settings.about.title', synonyms: 'palette.synonyms.about' },
];

/** Every setting, found by its label, section and synonyms. */
export function settingsEntries({ account, guide }: Stores): readonly Entry[] {
  const accounts: Setting = {
    label: account.several ? 'settings.account.several' : 'settings.account.one',
    synonyms: 'palette.synonyms.account',
  };
  return [...settings, accounts].map(({ label, section, synonyms }) => ({
    id: `setting:${label}`,
    group: 'settings',
    label: say(label),
    detail: say(section ?? 'shell.settings'),
    keywords: say(synonyms),
    onlyFound: true,
    run: () => guide.openSettings(say(section ?? label)),
  }));
}
