import { createKnownBatches } from '../batches/known-batches.ts';
import type { WatchRule } from '../rule.ts';
import type { WatchParts } from '../watch-parts.ts';
import type { SurveyOptions } from './survey.ts';
import { rulesBefore } from './units/earlier-rules.ts';

/** What a single look at a rule's folder goes by: what the ledger knows, and the other rules. */
export function surveyFor(rule: WatchRule, parts: WatchParts): SurveyOptions {
  return {
    ...simpleSurvey(rule, parts),
    isMeant: (path) => parts.ledger.find(rule.id, path) !== undefined,
    earlier: { rules: rulesBefore(rule, parts.rules()) },
  };
}

/** What a look at known sources goes by: whatever they are, they are sources of this rule. */
export function simpleSurvey(rule: WatchRule, parts: WatchParts): SurveyOptions {
  const { scanWorker } = parts;
  return { ...(scanWorker ? { worker: scanWorker } : {}), batches: createKnownBatches(rule, parts) };
}
