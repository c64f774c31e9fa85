import { diagnosticsText } from '../../../main/desktop/support/diagnostics.ts';
import { parseJson } from '../../../main/service/answer.ts';
import { readSettingsFile } from '../../../main/settings.ts';
import { canary, canarySettings } from '../../security/support/canary-settings.ts';
import { Escape, type Target } from '../target.ts';

/** Texts in a settings file are private and must not appear in diagnostics. */
export const diagnostics: Target = {
  name: 'diagnostics',
  share: 2,
  seeds: canarySettings().map(({ settings }) => JSON.stringify(settings)),
  words: [`"${canary}"`, `"${canary}":`, '"watchRules":[', '"own":[', '{', '}', '[', ']', '"id":', 'null'],
  run: (input) => {
    const { settings } = readSettingsFile(parseJson(input.toString()));
    const text = diagnosticsText({
      ...{ madeAt: 0, versions: {}, system: {}, account: {}, settings },
      ...{ jobs: { newest: [], count: 0 }, log: [], home: '/home/anna' },
    });
    const leak = text.split('\n').find((line) => line.toUpperCase().includes(canary));
    if (leak !== undefined) throw new Escape(leak);
    return `${settings.watchRules.length} ${settings.unreadableRules.length} ${text.length % 7}`;
  },
};
