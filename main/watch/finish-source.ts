import { type ErrorRecord, errorPhrase, toErrorRecord, toTileliftError } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import { targetOf } from './check-rule.ts';
import { makeReceipt } from './ledger/receipt.ts';
import type { FoundSource, LedgerEntry } from './model.ts';
import { moveSource } from './move-source.ts';
import type { WatchRule } from './rule.ts';
import { surveyPart, surveySource } from './source/survey.ts';
import { note, type WatchParts } from './watch-parts.ts';
import { nameOf } from './words.ts';

/** What is done when nothing more is tried with a source by itself. `entry` as the ledger is about to have it. Gives where the source was moved to. */
export async function finishSource(
  rule: WatchRule,
  entry: LedgerEntry,
  job: JobSnapshot | undefined,
  parts: WatchParts,
): Promise<string | null> {
  const { ledger, onEnd } = parts;
  if (job) ledger.addReceipt(await makeReceipt(rule, entry, job, parts.jobs.sentFiles(job.id)), job.id);
  await parts.claimsOf(rule)?.finish(entry.path, entry.identity, entry.state);
  const outcome = entry.state === 'complete' ? 'complete' : 'failed';
  onEnd({ ruleId: rule.id, ruleName: rule.name, source: entry.path, outcome });
  return moveAway(rule, entry, parts);
}

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
    const source = await surveySource(rule, entry.path);
    if (source?.identity !== entry.identity) return null;
    const shared = await sharedFiles(rule, source);
    const at = parts.clock.now();
    const movedTo = await moveSource(source, { rule, target, at, shared }, parts.ledger);
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

/** Files that other sources of the folder need too: they stay. */
async function sharedFiles(rule: WatchRule, source: FoundSource): Promise<ReadonlySet<string>> {
  if (rule.unit.kind === 'trigger' || source.paths[0] === source.keysFrom) return new Set();
  const hint = source.files[0]?.path ?? source.keysFrom;
  const { sources } = await surveyPart(rule, hint);
  const others = sources.filter(({ path }) => path !== source.path);
  return new Set(others.flatMap(({ files }) => files.map(({ path }) => path)));
}
