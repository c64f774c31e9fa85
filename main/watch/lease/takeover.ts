import { errorPhrase } from '../../../strings/said-error.ts';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Asset } from '../../service/model.ts';
import type { FolderLeases } from '../model/lease-model.ts';
import { isSameOwner, type Mark, type MarkedAsset } from '../model/lease-model.ts';
import type { FoundSource, LedgerEntry, Receipt } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchNumber, nameOf, readable } from '../model/source-names.ts';
import { contentOfSent, unverifiable, type Verdict } from '../scan/content.ts';
import type { Contents } from '../state/contents.ts';
import type { LedgerChange } from '../state/ledger/ledger.ts';
import { type LedgerPorts, type WatchAccounts, withdrawJob, writeActivity } from '../state/ports.ts';
import { batchMarks, hasMarks, readMark, writeMark } from './marks.ts';

/** Everything that marks need. */
export interface MarkPorts extends LedgerPorts {
  readonly accounts: WatchAccounts;
  readonly contents: Contents;
  readonly leases: FolderLeases;
}

const maxPublished = 100_000;

/**
 * Checks another computer's mark before a source becomes a job here. `wait`: its asset is being tiled.
 * `known`: the ledger now has its outcome. Throws `watch-lease-unwritable` or a request's error.
 */
export async function meetMark(
  rule: WatchRule,
  source: FoundSource,
  parts: MarkPorts,
): Promise<'free' | 'wait' | 'known'> {
  if (!rule.shared) return 'free';
  const { path, identity } = source;
  const entry = parts.ledger.find(rule.id, path);
  const mark = await readMark(rule.folder, path);
  if (!mark || mark.identity !== identity || isWantedAnyway(entry)) return 'free';
  // The ledger knows more about this computer's own jobs.
  if (entry?.jobId != null && isSameOwner(mark.owner, parts.leases.owner) && entry.error?.code !== lost)
    return 'free';
  if (mark.state === 'taken') return meetLeft(rule, source, mark, parts);
  const verdict = await compareWithMark(rule, source, mark, parts);
  if (verdict === 'unknown') return 'wait';
  if (verdict === 'differs') return 'free';
  if (mark.state === 'done' && verdict === 'unverifiable') askWhetherDone(rule, source, mark, parts);
  else noteElsewhere(rule, source, mark, parts);
  return 'known';
}

async function meetLeft(rule: WatchRule, source: FoundSource, mark: Mark, parts: MarkPorts) {
  const { asset } = mark;
  if (!asset) return 'free';
  const currentAsset = await seeAsset(asset, rule, parts.accounts);
  const fate = fateOfLeft(asset, currentAsset, rule);
  if (fate === 'going') return 'wait';
  if (fate === 'own') {
    const values = { name: nameOf(rule, source.path), host: readable(mark.owner.host), id: String(asset.id) };
    writeActivity(parts, rule.id, { key: 'sources.leftOrphan', values });
    return 'free';
  }
  const isDone = fate === 'done';
  const outcome = fate === 'ask' ? 'watch-asset-left' : (currentAsset?.status ?? fate);
  const endedMark: Mark = { ...mark, state: isDone ? 'done' : 'failed', outcome };
  await writeMark(rule.folder, endedMark);
  noteElsewhere(rule, source, endedMark, parts);
  return 'known';
}

/**
 * `going`: the asset is being tiled. `ask`: only the vanished computer has the credentials to complete it.
 * `own`: the files never arrived, so another asset is created.
 */
type LeftFate = 'done' | 'failed' | 'going' | 'ask' | 'own';

/** Decides by the asset as the rule's own account sees it, or null. Pure. */
export function fateOfLeft(
  { uploaded }: Pick<MarkedAsset, 'uploaded'>,
  asset: Pick<Asset, 'type' | 'status'> | null,
  { assetType }: Pick<WatchRule, 'assetType'>,
): LeftFate {
  // Don't trust the mark: an asset of another type is unrelated.
  if (asset?.type !== assetType || asset.status === 'AWAITING_FILES') return uploaded ? 'ask' : 'own';
  if (asset.status === 'COMPLETE') return 'done';
  return asset.status === 'DATA_ERROR' || asset.status === 'ERROR' ? 'failed' : 'going';
}

/**
 * Reads a marked asset. Null if it is gone or belongs to another account or service. Throws a request's
 * error.
 */
export async function seeAsset(
  { id, service }: MarkedAsset,
  { accountId }: Pick<WatchRule, 'accountId'>,
  accounts: WatchAccounts,
): Promise<Asset | null> {
  if (service !== accounts.serviceOf(accountId)) return null;
  try {
    return await accounts.readAsset(accountId, id);
  } catch (error) {
    if (error instanceof TileliftError && error.code === 'asset-not-found') return null;
    throw error;
  }
}

/** Names, sizes and times don't prove equal content, and an old mark must not hide a new file. */
async function compareWithMark(
  rule: WatchRule,
  source: FoundSource,
  { content }: Mark,
  { contents }: MarkPorts,
): Promise<Verdict> {
  if (content === null || content === unverifiable) return 'unverifiable';
  const currentContent = await contents.ofSource(rule.id, source, new AbortController().signal);
  if (currentContent === null) return 'unknown';
  return currentContent === content ? 'same' : 'differs';
}

/** It may be another computer's asset, or a new file of the same size. */
function askWhetherDone(rule: WatchRule, source: FoundSource, { owner, asset }: Mark, parts: MarkPorts) {
  const subject = `${readable(owner.host)}${asset ? `, ${asset.id}` : ''}`;
  const error = toErrorRecord(new TileliftError('watch-done-untold', { subject }));
  noteRow(rule, source, { state: 'skipped', assetId: asset?.id ?? null, error }, parts);
}

function noteElsewhere(
  rule: WatchRule,
  source: FoundSource,
  { state, outcome, asset, owner, content }: Mark,
  parts: MarkPorts,
): void {
  const assetId = asset?.id ?? null;
  if (state === 'done') {
    noteRow(rule, source, { state: 'skipped', assetId, content, error: null, retryAt: null }, parts);
    const values = { name: nameOf(rule, source.path) };
    writeActivity(parts, rule.id, { key: 'sources.madeElsewhere', values });
    return;
  }
  const code = outcome === 'watch-asset-left' ? 'watch-asset-left' : 'watch-failed-elsewhere';
  const host = readable(owner.host);
  const subject = code === 'watch-asset-left' ? `${host}, ${assetId ?? ''}` : host;
  const error = toErrorRecord(new TileliftError(code, { subject }));
  const endedAt = parts.clock.now();
  noteRow(rule, source, { state: 'waits-for-person', assetId, error, endedAt, retryAt: null }, parts);
}

function noteRow(rule: WatchRule, source: FoundSource, change: LedgerChange, parts: MarkPorts): void {
  const { ledger, clock } = parts;
  const { path, identity, newestMs } = source;
  if (!ledger.find(rule.id, path)) ledger.skip(rule.id, [source], clock.now());
  ledger.change(rule.id, path, { identity, newestMs, ...change });
  if (!change.error) return;
  const values = { name: nameOf(rule, path), why: errorPhrase(change.error) };
  writeActivity(parts, rule.id, { key: 'sources.waits', values });
}

const lost: ErrorCode = 'watch-taken-over';
const knownElsewhere: ReadonlySet<ErrorCode> = new Set([
  ...(['watch-asset-left', 'watch-failed-elsewhere', 'watch-done-untold'] as const),
  lost,
]);

/** The user requested it, knowing the other computer's outcome. */
function isWantedAnyway(entry: Pick<LedgerEntry, 'standing' | 'error'> | undefined): boolean {
  if (entry?.standing?.why !== 'upload') return false;
  return entry.error === null || knownElsewhere.has(entry.error.code);
}

/** Abandons unfinished uploads, because another computer watches now. */
export async function giveUp(rule: WatchRule, parts: MarkPorts): Promise<void> {
  const { ledger, jobs } = parts;
  for (const { ruleId, path, jobId, uploadedAt } of ledger.takenEntries()) {
    if (ruleId !== rule.id || uploadedAt !== null) continue;
    const job = jobId === null ? undefined : jobs.get(jobId);
    if (job && job.uploadedAt !== null) continue;
    if (ledger.find(ruleId, path)?.state !== 'taken') continue;
    const error = toErrorRecord(new TileliftError(lost, { subject: nameOf(rule, path) }));
    await withdrawJob({ ruleId, path }, job, parts, { error });
    writeActivity(parts, rule.id, errorPhrase(error));
    parts.onChange(rule.id);
  }
}

/** Marks the asset for the computer that takes over. */
export async function markAsset(
  rule: WatchRule,
  entry: LedgerEntry,
  job: JobSnapshot,
  parts: MarkPorts,
): Promise<void> {
  if (parts.leases.writes(rule)) await writeMark(rule.folder, markOf(rule, entry, job, parts));
}

/**
 * Marks the outcome once nothing more is tried automatically. If the credentials expired first, another
 * computer may try again. Throws `watch-lease-unwritable`.
 */
export async function markEnd(
  rule: WatchRule,
  entry: LedgerEntry,
  job: JobSnapshot | undefined,
  receipt: Receipt | null,
  parts: MarkPorts,
): Promise<void> {
  if (!parts.leases.writes(rule) || job?.status === 'expired') return;
  const isDone = entry.state === 'complete';
  const content = isDone && receipt ? await contentOfSent(entry.path, receipt.files) : null;
  const mark = markOf(rule, entry, job, parts);
  const outcome = entry.error?.code ?? entry.state;
  await writeMark(rule.folder, { ...mark, state: isDone ? 'done' : 'failed', outcome, content });
}

function markOf(rule: WatchRule, entry: LedgerEntry, job: JobSnapshot | undefined, parts: MarkPorts): Mark {
  const { accounts, leases } = parts;
  const id = job?.assetId ?? entry.assetId;
  const uploaded = (job ?? entry).uploadedAt !== null;
  return {
    ...{ version: 1, owner: leases.owner, source: entry.path, identity: entry.identity },
    ...{ state: 'taken', outcome: null, content: null },
    asset: id === null ? null : { id, service: accounts.serviceOf(rule.accountId), uploaded },
    files: filesOf(rule, entry.path, parts),
  };
}

function filesOf(rule: WatchRule, path: string, { ledger }: MarkPorts): string[] | null {
  if (batchNumber(path) === null) return null;
  for (const batch of ledger.batchesOf(rule.id)) if (batch.path === path) return [...batch.files];
  return null;
}

/** Publishes the finished sources of a newly shared folder. */
export async function publishMarks(rule: WatchRule, parts: MarkPorts): Promise<void> {
  if (await hasMarks(rule.folder)) return;
  for (const entry of parts.ledger.list(rule.id, maxPublished)) {
    if (entry.state !== 'complete' || entry.movedTo !== null) continue;
    const { content } = entry;
    await writeMark(rule.folder, { ...markOf(rule, entry, undefined, parts), state: 'done', content });
  }
}

/** Excludes the previous computer's batches from the next one. */
export async function knowBatches(rule: WatchRule, { ledger }: MarkPorts): Promise<void> {
  if (rule.unit.kind !== 'batch') return;
  for (const { source: path, files } of await batchMarks(rule.folder))
    if (files) ledger.keepBatch(rule.id, { path, files: files.map((key) => ({ key })) });
}
