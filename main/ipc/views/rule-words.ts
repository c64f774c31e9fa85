import { sayPhrase } from '../../../strings/phrase.ts';
import { say } from '../../../strings/say.ts';
import type { LocatedProblem } from '../../watch/rules-file/located.ts';
import { fieldName, type RuleProblem } from '../../watch/rules-file/rule-problems.ts';

/** What is wrong with rules in files, in words. */

export function placedWords({ line, column, field, what }: LocatedProblem): string {
  return say('rulesFile.problemAt', { line, column, field, what: sayPhrase(what) });
}

export function problemWords({ path, what }: RuleProblem): string {
  const field = fieldName(path);
  const words = { what: sayPhrase(what) };
  return field === ''
    ? say('rulesFile.unreadable.whole', words)
    : say('rulesFile.unreadable.field', { field, ...words });
}
