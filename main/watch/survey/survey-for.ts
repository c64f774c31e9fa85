import { createKnownBatches } from '../batches/known-batches.ts';
import type { WatchRule } from '../rule.ts';
import type { WatchParts } from '../watch-parts.ts';
import type { SurveyOptions } from './survey.ts';
import { rulesBefore } from './units/earlier-rules.ts';

/** What a single look at a rule's folder goes by: what the ledger knows, and the other rules. */
export function surveyFor(rule: WatchRule, parts: WatchParts): SurveyOptions {
  const { ledger, scanWorker } = parts;
  return {
    ...(scanWorker ? { worker: scanWorker } : {}),
    isMeant: (path) => ledger.find(rule.id, path) !== undefined,
    earlier: { rules: rulesBefore(rule, parts.rules()) },
    batches: createKnownBatches(rule, parts),
  };
}
