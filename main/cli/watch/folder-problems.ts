import type { LocatedProblem } from '../../../shared/watch.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import type { CheckedFile } from '../../checked-file.ts';
import { toErrorRecord } from '../../errors.ts';
import { checkRule } from '../../watch/rules/check-rule.ts';
import type { ServiceFile } from './service-file.ts';

type ReadFile = Extract<CheckedFile<ServiceFile>, { kind: 'read' }>;

/** Problems of rules with this computer's folders: missing, nested or unusable ones, each at its field. */
export async function folderProblems({ data, positionOf }: ReadFile): Promise<readonly LocatedProblem[]> {
  const complete = data.rules.map((rule) => ({ ...rule, accountId: rule.accountId ?? 'none' }));
  const problems: LocatedProblem[] = [];
  for (const [index, rule] of complete.entries()) {
    try {
      await checkRule(rule, complete.slice(0, index));
    } catch (thrown) {
      const error = toErrorRecord(thrown);
      const field = error.field ?? 'folder';
      const position = positionOf(['rules', index, ...field.split('.')]);
      problems.push({ ...position, field: `rules[${index}].${field}`, what: errorPhrase(error) });
    }
  }
  return problems;
}
