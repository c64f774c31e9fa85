import { expect, it } from 'vitest';
import { applyRules } from '../../../main/cli/watch/apply-file.ts';
import type { ServiceFile } from '../../../main/cli/watch/service-file.ts';
import type { WatchRule } from '../../../main/watch/model/rule.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { settingsInMemory } from '../account/stand-ins.ts';

const { accountId: _, ...rule } = aWatchRule({ id: 'scans', folder: '/scans' });

/** Applies a file with one rule to settings with or without it, and returns the rule's account. */
async function accountAfter(
  named: { readonly byRule?: string; readonly byFile?: string },
  previous: string | null = null,
): Promise<string | undefined> {
  const settings = settingsInMemory();
  if (previous !== null) settings.update({ watchRules: [{ ...rule, accountId: previous }] });
  const accountId = named.byRule === undefined ? {} : { accountId: named.byRule };
  const file: ServiceFile = { rules: [{ ...rule, ...accountId }] };
  await applyRules(file, {
    watch: { save: async (saved: WatchRule) => settings.update({ watchRules: [saved] }), remove: () => {} },
    alerts: { settingsChanged: () => {} },
    settings,
    namedAccount: named.byFile ?? null,
    currentAccount: 'current',
    takeExisting: false,
  });
  return settings.get().watchRules[0]?.accountId;
}

it.each([
  ['the one that the rule names, whoever is signed in', { byRule: 'crew', byFile: 'office' }, null, 'crew'],
  ['the one that the rule names now, where it had another', { byRule: 'crew' }, 'office', 'crew'],
  ['the one that the file names, where the rule names none', { byFile: 'office' }, 'crew', 'office'],
  ['the current one for a new rule, where nothing names one', {}, null, 'current'],
  ['the one that the rule had, where nothing names one', {}, 'crew', 'crew'],
])('the account of a rule in a rules file is %s', async (_what, named, previous, account) => {
  expect(await accountAfter(named, previous)).toBe(account);
});
