import { createKnownBatches } from './known-batches.ts';
import type { WatchRule } from '../model/rule.ts';
import type { WatchParts } from './watch-parts.ts';
import type { SurveyOptions } from '../scan/scan-rule.ts';
import { rulesBefore } from '../scan/earlier-rules.ts';

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
