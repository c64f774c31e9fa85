import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/words.ts';
import { type EarlierRules, rulesBefore } from '../scan/earlier-rules.ts';
import type { SurveyOptions } from '../scan/scan-rule.ts';
import { createKnownBatches } from './known-batches.ts';
import { type WatchParts, writeActivity } from './watch-parts.ts';

/** Options for a single scan of a rule's folder. */
export function surveyFor(rule: WatchRule, parts: WatchParts): SurveyOptions {
  return {
    ...simpleSurvey(rule, parts),
    isMeant: (path) => parts.ledger.find(rule.id, path) !== undefined,
    earlier: { rules: rulesBefore(rule, parts.rules()) },
  };
}

/** Options for known sources, which belong to this rule in any case. */
export function simpleSurvey(rule: WatchRule, parts: WatchParts): SurveyOptions {
  const { scanWorker } = parts;
  return { ...(scanWorker ? { worker: scanWorker } : {}), batches: createKnownBatches(rule, parts) };
}

const maxTold = 10_000;

/** Logs each file that an earlier rule gets once. */
export function createEarlier(rule: WatchRule, parts: WatchParts): EarlierRules {
  const told = new Set<string>();
  return {
    get rules() {
      return rulesBefore(rule, parts.rules());
    },
    onLeft: (path, ruleName) => {
      if (told.has(path) || told.size >= maxTold) return;
      told.add(path);
      writeActivity(parts, rule.id, {
        key: 'sources.leftToRule',
        values: { name: nameOf(rule, path), rule: ruleName },
      });
    },
  };
}
