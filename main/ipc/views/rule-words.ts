import type { LocatedProblem } from '../../../shared/watch.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import { fieldName, type RuleProblem } from '../../watch/rules/rules-file.ts';

export function placedPhrase({ line, column, field, what }: LocatedProblem): Phrase {
  return { key: 'rulesFile.problemAt', values: { line, column, field, what } };
}

export function problemPhrase({ path, what }: RuleProblem): Phrase {
  const field = fieldName(path);
  return field === ''
    ? { key: 'rulesFile.unreadable.whole', values: { what } }
    : { key: 'rulesFile.unreadable.field', values: { field, what } };
}
