import { expect, it } from 'vitest';
import { applyRules } from '../../../main/cli/watch/apply-file.ts';
import type { ServiceFile } from '../../../main/cli/watch/service-file.ts';
import type { WatchRule } from '../../../main/watch/model/rule.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { settingsInMemory } from '../account/stand-ins.ts';

const { accountId: _, ...rule } = aWatchRule({ id: 'scans', folder: '/scans' });

/** Applies a file with one rule to settings with or without it, and returns the rule's account. */
async function accountAfter(
  accountNames: { readonly byRule?: string; readonly byFile?: string },
  previous: string | null = null,
): Promise<string | undefined> {
  const settings = settingsInMemory();
  if (previous !== null) settings.update({ watchRules: [{ ...rule, accountId: previous }] });
  const accountId = accountNames.byRule === undefined ? {} : { accountId: accountNames.byRule };
  const file: ServiceFile = { rules: [{ ...rule, ...accountId }] };
  await applyRules(file, {
    watch: {
      save: async (savedRule: WatchRule) => settings.update({ watchRules: [savedRule] }),
      remove: () => {},
    },
    alerts: { settingsChanged: () => {} },
    settings,
    namedAccount: accountNames.byFile ?? null,
    currentAccount: 'current',
    takeExisting: false,
  });
  return settings.get().watchRules[0]?.accountId;
}

it.each([
  ['the account that it names', { byRule: 'crew', byFile: 'office' }, null, 'crew'],
  ['the account that it names instead of its previous one', { byRule: 'crew' }, 'office', 'crew'],
  ['the account that the file names if it names none', { byFile: 'office' }, 'crew', 'office'],
  ['the current account if it is new and nothing names one', {}, null, 'current'],
  ['its previous account if nothing names one', {}, 'crew', 'crew'],
])('applyRules() assigns a rule %s', async (_what, accountNames, previous, account) => {
  expect(await accountAfter(accountNames, previous)).toBe(account);
});
