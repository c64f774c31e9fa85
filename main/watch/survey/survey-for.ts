import { createKnownBatches } from '../batches/known-batches.ts';
import type { WatchRule } from '../rule.ts';
import type { WatchParts } from '../watch-parts.ts';
import type { SurveyOptions } from './survey.ts';
import { rulesBefore } from './units/earlier-rules.ts';

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
