import type { WatchRule } from '../../rule.ts';
import { note, type WatchParts } from '../../watch-parts.ts';
import { nameOf } from '../../words.ts';
import { type EarlierRules, rulesBefore } from './earlier-rules.ts';

/** Files that are remembered as told. */
const mostTold = 10_000;

/** The rules that take from this rule's folder before it, as they are whenever it looks; each file that is left to one of them is told once. */
export function createEarlier(rule: WatchRule, parts: WatchParts): EarlierRules {
  const told = new Set<string>();
  return {
    get rules() {
      return rulesBefore(rule, parts.rules());
    },
    onLeft: (path, ruleName) => {
      if (told.has(path) || told.size >= mostTold) return;
      told.add(path);
      note(parts, rule.id, {
        key: 'sources.leftToRule',
        values: { name: nameOf(rule, path), rule: ruleName },
      });
    },
  };
}
