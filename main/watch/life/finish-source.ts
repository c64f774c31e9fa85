import { errorPhrase } from '../../../strings/said-error.ts';
import { type ErrorRecord, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { createKnownBatches } from '../batches/known-batches.ts';
import { endList } from '../batches/list-batch.ts';
import { targetOf } from '../check-rule.ts';
import { endClaim } from '../claims/claim-end.ts';
import { makeReceipt } from '../ledger/receipt.ts';
import { isUntouched, maybeSameContent } from '../ledger/same-content.ts';
import type { FoundSource, LedgerEntry } from '../model.ts';
import { moveSource } from '../moves/move-source.ts';
import type { WatchRule } from '../rule.ts';
import { surveyPart, surveySource } from '../survey/survey.ts';
import { rulesBeside } from '../survey/units/earlier-rules.ts';
import { contentOfSent, untold } from '../verify/content.ts';
import { note, type WatchParts } from '../watch-parts.ts';
import { nameOf } from '../words.ts';

/** What is done when nothing more is tried with a source by itself. `entry` as the ledger is about to have it. Gives where the source was moved to. */
export async function finishSource(
  rule: WatchRule,
  entry: LedgerEntry,
  job: JobSnapshot | undefined,
  parts: WatchParts,
): Promise<string | null> {
  const { ledger, onEnd } = parts;
  const receipt = job ? await makeReceipt(rule, entry, job, parts.jobs.sentFiles(job.id)) : null;
  if (job && receipt) {
    ledger.addReceipt(receipt, job.id);
    ledger.change(rule.id, entry.path, { content: await contentOfSent(entry.path, receipt.files) });
  }
  await endClaim(rule, entry, job, receipt, parts);
  const outcome = entry.state === 'complete' ? 'complete' : 'failed';
  const { path: source, jobId, error } = entry;
  const endedAt = entry.endedAt ?? parts.clock.now();
  onEnd({ ruleId: rule.id, ruleName: rule.name, source, outcome, jobId, endedAt, error });
  return moveAway(rule, entry, parts);
}

/** How long what was touched since it was sent may be read for, before it stays where it is, ms. */
const moveReadMs = 10 * 60_000;

/** Moves a source that has ended to where its rule wants it, while it is still what was taken. Null: it stays where it is. */
export async function moveAway(
  rule: WatchRule,
  entry: LedgerEntry,
  parts: WatchParts,
): Promise<string | null> {
  if (entry.state === 'skipped' || entry.state === 'taken' || entry.state === 'waits-for-retry') return null;
  const target = targetOf(rule.folder, entry.state === 'complete' ? rule.afterSuccess : rule.afterFailure);
  if (target === null) return null;
  try {
    const source = await surveySource(rule, entry.path, { batches: createKnownBatches(rule, parts) });
    if (!source || !(await isWhatWasSent(rule, source, parts))) return null;
    const shared = await sharedFiles(rule, source, rulesBeside(rule, parts.rules()));
    const at = parts.clock.now();
    const movedTo = await moveSource(source, { rule, target, at, shared }, parts.ledger);
    await endList(rule, entry.path, parts);
    const values = { name: nameOf(rule, entry.path), place: movedTo };
    note(parts, rule.id, { key: 'sources.moved', values });
    return movedTo;
  } catch (thrown) {
    const error: ErrorRecord = toErrorRecord(toTileliftError(thrown));
    parts.log.warn({ ruleId: rule.id, error }, 'a source could not be moved');
    note(parts, rule.id, errorPhrase(error));
    return null;
  }
}

/** Other content may have been put in its place since. */
async function isWhatWasSent(rule: WatchRule, source: FoundSource, parts: WatchParts): Promise<boolean> {
  const { ledger, contents } = parts;
  const row = ledger.find(rule.id, source.path);
  if (!row) return false;
  if (isUntouched(source, row)) return true;
  if (!maybeSameContent(source, row) || (await contents.ofRow(row)) === untold) return false;
  const content = await contents.ofSource(rule.id, source, { signal: AbortSignal.timeout(moveReadMs) });
  return content === (await contents.ofRow(row));
}

/** Files that other sources of the folder need too, of this rule or of another: they stay. */
async function sharedFiles(
  rule: WatchRule,
  source: FoundSource,
  beside: readonly WatchRule[],
): Promise<ReadonlySet<string>> {
  const { kind } = rule.unit;
  if (kind === 'trigger' || kind === 'batch' || source.paths[0] === source.keysFrom) return new Set();
  const hint = source.files[0]?.path ?? source.keysFrom;
  const { sources } = await surveyPart(rule, hint);
  const others = sources.filter(({ path }) => path !== source.path);
  for (const other of beside) others.push(...(await surveyPart(other, hint)).sources);
  return new Set(others.flatMap(({ files }) => files.map(({ path }) => path)));
}
