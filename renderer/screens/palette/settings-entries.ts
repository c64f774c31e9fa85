import { say } from '../../say.ts';
import type { Stores } from '../../state/stores.ts';
import { settings } from '../../words/settings.ts';
import type { Entry } from './entries.ts';

/** Every setting, found by its label, section and synonyms. */
export function settingsEntries({ account, app, guide }: Stores): readonly Entry[] {
  const otherTitle = account.hasSeveral ? 'settings.account.one' : 'settings.account.several';
  const listedSettings = settings.filter(
    ([label]) => label !== otherTitle && (label !== 'policy.title' || app.info?.policy),
  );
  return listedSettings.map(([label, synonyms, section]) => ({
    id: `setting:${label}`,
    group: 'settings',
    label: say(label),
    detail: say(section ?? 'shell.settings'),
    keywords: say(`palette.synonyms.${synonyms}`),
    onlyFound: true,
    run: () => guide.openSettings(say(section ?? label)),
  }));
}
