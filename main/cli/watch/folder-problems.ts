import { offsetOf, positionOf, readJson } from '../../../shared/json-positions.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import { toErrorRecord } from '../../errors.ts';
import { checkRule } from '../../watch/rules/check-rule.ts';
import type { ServiceFile } from './service-file.ts';

/**
 * Problems of rules with this computer's folders: missing, nested or unusable ones, each at its field.
 * @param rulesText the rules file that `rules` were read from
 */
export async function folderProblems(
  rulesText: string,
  rules: ServiceFile['rules'],
): Promise<readonly LocatedProblem[]> {
  const text = rulesText.replace(/^\uFEFF/, '');
  const json = readJson(text, 'with-comments');
  if (json.fault) return [];
  const complete = rules.map((rule) => ({ ...rule, accountId: rule.accountId ?? 'none' }));
  const problems: LocatedProblem[] = [];
  for (const [index, rule] of complete.entries()) {
    try {
      await checkRule(rule, complete.slice(0, index));
    } catch (thrown) {
      const error = toErrorRecord(thrown);
      const field = error.field ?? 'folder';
      const offset = offsetOf(json.tree, ['rules', index, ...field.split('.')]);
      const what = errorPhrase(error);
      problems.push({ ...positionOf(text, offset), field: `rules[${index}].${field}`, what });
    }
  }
  return problems;
}
