/** What is said of rules as they stand in files. */

import type { UnreadableRuleView } from '../../../../preload/contract.ts';
import { say } from '../../../../strings/say.ts';

/** Problems of one rule that are named; more would hide the first. */
const mostNamed = 3;

export function unreadableName({ name }: Pick<UnreadableRuleView, 'name'>): string {
  return name ?? say('rulesFile.unreadable.nameless');
}

/** `unit.kind is missing, on must be true or false, 2 more`. */
export function problemsInShort({ problems }: Pick<UnreadableRuleView, 'problems'>): string {
  const named = problems.slice(0, mostNamed);
  const count = problems.length - named.length;
  return [...named, ...(count > 0 ? [say('rulesFile.unreadable.more', { count })] : [])].join(', ');
}
