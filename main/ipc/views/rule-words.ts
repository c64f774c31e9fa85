import type { LocatedProblem } from '../../../shared/watch.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import { type FieldProblem, fieldName } from '../../checked-file.ts';

export function placedPhrase({ line, column, field, what: problem }: LocatedProblem): Phrase {
  return { key: 'rulesFile.problemAt', values: { line, column, field, what: problem } };
}

export function problemPhrase({ path, what: problem }: FieldProblem): Phrase {
  const field = fieldName(path);
  return field === ''
    ? { key: 'rulesFile.unreadable.whole', values: { what: problem } }
    : { key: 'rulesFile.unreadable.field', values: { field, what: problem } };
}
