import { errorPhrase } from '../../../strings/said-error.ts';
import { type ErrorRecord, toErrorRecord, toTileliftError } from '../../errors.ts';
import { removeMark } from '../lease/marks.ts';
import type { MarkPorts } from '../lease/takeover.ts';
import type { FoundSource, LedgerEntry } from '../model/model.ts';
import { targetOf, type WatchRule } from '../model/rule.ts';
import { batchNumber, nameOf } from '../model/source-names.ts';
import { unverifiable } from '../scan/content.ts';
import { rulesBeside } from '../scan/earlier-rules.ts';
import { scanAround, scanSourceAt } from '../scan/scan-rule.ts';
import { isUntouched, maybeSameContent } from '../state/ledger/asset-rules.ts';
import { writeActivity } from '../state/ports.ts';
import { type ScanPorts, sourceScanOptions } from '../state/scan-options.ts';
import { moveSource } from './move-source.ts';

export interface MovePorts extends ScanPorts, MarkPorts {}

/** Maximum time to compare a touched source, ms. */
const moveReadMs = 10 * 60_000;

/** Moves an unchanged, finished source to the target folder. Null if it stays. */
export async function moveAway(
  rule: WatchRule,
  entry: LedgerEntry,
  parts: MovePorts,
): Promise<string | null> {
  if (entry.state === 'skipped' || entry.state === 'taken' || entry.state === 'waits-for-retry') return null;
  const target = targetOf(rule.folder, entry.state === 'complete' ? rule.afterSuccess : rule.afterFailure);
  if (target === null) return null;
  try {
    const source = await scanSourceAt(rule, entry.path, sourceScanOptions(rule, parts));
    if (!source || !(await isWhatWasSent(rule, source, parts))) return null;
    const shared = await sharedFiles(rule, source, parts);
    const timestamp = parts.clock.now();
    const movedTo = await moveSource(source, { rule, target, timestamp, shared }, parts.ledger);
    if (parts.leases.writes(rule) && batchNumber(entry.path) !== null)
      await removeMark(rule.folder, entry.path);
    const values = { name: nameOf(rule, entry.path), place: movedTo };
    writeActivity(parts, rule.id, { key: 'sources.moved', values });
    return movedTo;
  } catch (cause) {
    const error: ErrorRecord = toErrorRecord(toTileliftError(cause));
    parts.log.warn({ ruleId: rule.id, error }, 'a source could not be moved');
    writeActivity(parts, rule.id, errorPhrase(error));
    return null;
  }
}

async function isWhatWasSent(rule: WatchRule, source: FoundSource, parts: MovePorts): Promise<boolean> {
  const { ledger, contents } = parts;
  const row = ledger.find(rule.id, source.path);
  if (!row) return false;
  if (isUntouched(source, row)) return true;
  if (!maybeSameContent(source, row) || (await contents.ofRow(row)) === unverifiable) return false;
  const content = await contents.ofSource(rule.id, source, AbortSignal.timeout(moveReadMs));
  return content === (await contents.ofRow(row));
}

async function sharedFiles(
  rule: WatchRule,
  source: FoundSource,
  parts: MovePorts,
): Promise<ReadonlySet<string>> {
  const { kind } = rule.unit;
  if (kind === 'batch' || source.paths[0] === source.keysFrom) return new Set();
  const filePaths = source.files.map(({ path }) => path);
  const { sources } = await scanAround(rule, filePaths, sourceScanOptions(rule, parts));
  const otherSources = sources.filter(({ path }) => path !== source.path);
  for (const otherRule of rulesBeside(rule, parts.rules()))
    otherSources.push(
      ...(await scanAround(otherRule, filePaths, sourceScanOptions(otherRule, parts))).sources,
    );
  return new Set(otherSources.flatMap(({ files }) => files.map(({ path }) => path)));
}
