import { writeFile } from 'node:fs/promises';
import type { UnreadableRuleView } from '../../../preload/contract.ts';
import type { Tilelift } from '../../app.ts';
import { TileliftError } from '../../errors.ts';
import { setByPolicy } from '../../policy/refusals.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import { isPolicyRule } from '../../watch/rules/policy-rules.ts';
import { rulesFileText } from '../../watch/rules/rules-file.ts';
import type { CallHandlers } from '../bind.ts';
import { chooseToSave } from '../dialogs.ts';
import { placedPhrase, problemPhrase } from '../views/rule-words.ts';
import { importHandlers, type RulesParts } from './rules-import.ts';

type RulesCall = Extract<keyof CallHandlers, `rules.${string}`>;

/** Characters of a file name. */
const maxNameLength = 80;
const defaultName = 'tilelift-rules.json';
const filters = [{ name: 'JSON', extensions: ['json'] }];

/** Handlers for rules in files. */
export function rulesHandlers(parts: RulesParts): Pick<CallHandlers, RulesCall> {
  const { tilelift, settings, policy, window } = parts;
  const unreadableRules = () => [
    ...settings.get().unreadableRules.map(({ id, name, folder, problems }): UnreadableRuleView => {
      return { id, name, folder, problems: problems.map(problemPhrase) };
    }),
    ...faultyOfPolicy(tilelift, settings),
  ];
  return {
    'rules.unreadable': async () => unreadableRules(),
    'rules.removeUnreadable': async (id) => {
      const remainingRules = settings.get().unreadableRules.filter((rule) => rule.id !== id);
      settings.update({ unreadableRules: remainingRules });
      return unreadableRules();
    },
    'rules.export': async (id) => {
      if (id !== null && isPolicyRule(id)) throw setByPolicy(policy);
      const ownRules = settings.get().watchRules.filter((rule) => !isPolicyRule(rule.id));
      const rules = ownRules.filter((rule) => id === null || rule.id === id);
      const [firstRule] = rules;
      if (id !== null && !firstRule) throw new TileliftError('watch-rule-unknown');
      const options = {
        title: id === null ? say('rulesFile.dialog.export') : say('rulesFile.dialog.exportOne'),
        defaultPath: id === null || !firstRule ? defaultName : fileNameOf(firstRule.name),
        filters,
      };
      const filePath = await chooseToSave(window(), options);
      if (!filePath) return null;
      await writeFile(filePath, rulesFileText(rules));
      return filePath;
    },
    ...importHandlers(parts),
  };
}

/** Invalid policy rules, except those kept from an earlier policy. */
function faultyOfPolicy(tilelift: Tilelift, settings: SettingsStore): readonly UnreadableRuleView[] {
  const ruleIds = new Set(settings.get().watchRules.map(({ id }) => id));
  return tilelift.faultyRules.flatMap(({ id, name, folder, problems }, index) =>
    id !== null && ruleIds.has(id)
      ? []
      : [{ id: `policy-${index}`, name, folder, problems: problems.map(placedPhrase), locked: true }],
  );
}

/** `North: ortho/2026` becomes `North ortho 2026.json`, valid on every system. */
function fileNameOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const suggestedName = words.join(' ').slice(0, maxNameLength).trim();
  return suggestedName === '' ? defaultName : `${suggestedName}.json`;
}
