/** What is said of rules as they stand in files. */

import type { UnreadableRuleView } from '../../../../preload/contract.ts';
import type { Said } from '../../../../strings/phrase.ts';
import { say, sayValue } from '../../../say.ts';

/** Problems of one rule that are named; more would hide the first. */
const maxNamed = 3;

export function unreadableName({ name }: Pick<UnreadableRuleView, 'name'>): string {
  return name ?? say('rulesFile.unreadable.nameless');
}

/** `unit.kind is missing, on must be true or false, 2 more`. */
export function problemsInShort({ problems }: Pick<UnreadableRuleView, 'problems'>): string {
  const named = problems.slice(0, maxNamed);
  const count = problems.length - named.length;
  const more: Said[] = count > 0 ? [{ key: 'rulesFile.unreadable.more', values: { count } }] : [];
  return sayValue({ names: [...named, ...more] });
}
