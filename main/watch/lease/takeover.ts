import { errorPhrase } from '../../../strings/said-error.ts';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Asset } from '../../service/model.ts';
import { isSameOwner, type Mark, type MarkedAsset, type WatchOwner } from '../model/lease-model.ts';
import type { FoundSource, LedgerEntry, Receipt } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchNumber, nameOf, readable } from '../model/source-names.ts';
import { contentOfSent, unverifiable, type Verdict } from '../scan/content.ts';
import type { Contents } from '../state/contents.ts';
import type { LedgerChange } from '../state/ledger/ledger.ts';
import { type LedgerPorts, type WatchAccounts, withdrawJob, writeActivity } from '../state/ports.ts';
import { batchMarks, hasMarks, readMark, writeMark } from './marks.ts';

const maxPublished = 100_000;

/** Outcomes of sources for other computers on the same folder. */
export class SourceMarks {
  readonly #parts: LedgerPorts;
  readonly #accounts: WatchAccounts;
  readonly #contents: Contents;
  readonly #owner: WatchOwner;

  constructor(parts: LedgerPorts, accounts: WatchAccounts, contents: Contents, owner: WatchOwner) {
    this.#parts = parts;
    this.#accounts = accounts;
    this.#contents = contents;
    this.#owner = owner;
  }

  /**
   * Checks another computer's mark before a source becomes a job here. `wait`: its asset is being tiled.
   * `known`: the ledger now has its outcome. Throws `watch-lease-unwritable` or a request's error.
   */
  async meet(rule: WatchRule, source: FoundSource): Promise<'free' | 'wait' | 'known'> {
    if (!rule.shared) return 'free';
    const { path, identity } = source;
    const entry = this.#parts.ledger.find(rule.id, path);
    const mark = await readMark(rule.folder, path);
    if (!mark || mark.identity !== identity || isWantedAnyway(entry)) return 'free';
    // The ledger knows more about this computer's own jobs.
    if (entry?.jobId != null && isSameOwner(mark.owner, this.#owner) && entry.error?.code !== lost)
      return 'free';
    if (mark.state === 'taken') return this.#meetLeft(rule, source, mark);
    const verdict = await this.#compareWithMark(rule, source, mark);
    if (verdict === 'unknown') return 'wait';
    if (verdict === 'differs') return 'free';
    if (mark.state === 'done' && verdict === 'unverifiable') this.#askWhetherDone(rule, source, mark);
    else this.#noteElsewhere(rule, source, mark);
    return 'known';
  }

  async #meetLeft(rule: WatchRule, source: FoundSource, mark: Mark) {
    const { asset } = mark;
    if (!asset) return 'free';
    const currentAsset = await seeAsset(asset, rule, this.#accounts);
    const fate = fateOfLeft(asset, currentAsset, rule);
    if (fate === 'going') return 'wait';
    if (fate === 'own') {
      const values = {
        name: nameOf(rule, source.path),
        host: readable(mark.owner.host),
        id: String(asset.id),
      };
      writeActivity(this.#parts, rule.id, { key: 'sources.leftOrphan', values });
      return 'free';
    }
    const isDone = fate === 'done';
    const outcome = fate === 'ask' ? 'watch-asset-left' : (currentAsset?.status ?? fate);
    const endedMark: Mark = { ...mark, state: isDone ? 'done' : 'failed', outcome };
    await writeMark(rule.folder, endedMark);
    this.#noteElsewhere(rule, source, endedMark);
    return 'known';
  }

  /** Names, sizes and times don't prove equal content, and an old mark must not hide a new file. */
  async #compareWithMark(rule: WatchRule, source: FoundSource, { content }: Mark): Promise<Verdict> {
    if (content === null || content === unverifiable) return 'unverifiable';
    const currentContent = await this.#contents.ofSource(rule.id, source, new AbortController().signal);
    if (currentContent === null) return 'unknown';
    return currentContent === content ? 'same' : 'differs';
  }

  /** It may be another computer's asset, or a new file of the same size. */
  #askWhetherDone(rule: WatchRule, source: FoundSource, { owner, asset }: Mark) {
    const subject = `${readable(owner.host)}${asset ? `, ${asset.id}` : ''}`;
    const error = toErrorRecord(new TileliftError('watch-done-untold', { subject }));
    this.#noteRow(rule, source, { state: 'skipped', assetId: asset?.id ?? null, error });
  }

  #noteElsewhere(
    rule: WatchRule,
    source: FoundSource,
    { state, outcome, asset, owner, content }: Mark,
  ): void {
    const assetId = asset?.id ?? null;
    if (state === 'done') {
      this.#noteRow(rule, source, { state: 'skipped', assetId, content, error: null, retryAt: null });
      const values = { name: nameOf(rule, source.path) };
      writeActivity(this.#parts, rule.id, { key: 'sources.madeElsewhere', values });
      return;
    }
    const code = outcome === 'watch-asset-left' ? 'watch-asset-left' : 'watch-failed-elsewhere';
    const host = readable(owner.host);
    const subject = code === 'watch-asset-left' ? `${host}, ${assetId ?? ''}` : host;
    const error = toErrorRecord(new TileliftError(code, { subject }));
    const endedAt = this.#parts.clock.now();
    this.#noteRow(rule, source, { state: 'waits-for-person', assetId, error, endedAt, retryAt: null });
  }

  #noteRow(rule: WatchRule, source: FoundSource, change: LedgerChange): void {
    const { ledger, clock } = this.#parts;
    const { path, identity, newestMs } = source;
    if (!ledger.find(rule.id, path)) ledger.markSkipped(rule.id, [source], clock.now());
    ledger.change(rule.id, path, { identity, newestMs, ...change });
    if (!change.error) return;
    const values = { name: nameOf(rule, path), why: errorPhrase(change.error) };
    writeActivity(this.#parts, rule.id, { key: 'sources.waits', values });
  }

  /** Abandons unfinished uploads, because another computer watches now. */
  async giveUp(rule: WatchRule): Promise<void> {
    const { ledger, jobs } = this.#parts;
    for (const { ruleId, path, jobId, uploadedAt } of ledger.takenEntries()) {
      if (ruleId !== rule.id || uploadedAt !== null) continue;
      const job = jobId === null ? undefined : jobs.get(jobId);
      if (job && job.uploadedAt !== null) continue;
      if (ledger.find(ruleId, path)?.state !== 'taken') continue;
      const error = toErrorRecord(new TileliftError(lost, { subject: nameOf(rule, path) }));
      await withdrawJob({ ruleId, path }, job, this.#parts, { error });
      writeActivity(this.#parts, rule.id, errorPhrase(error));
      this.#parts.onChange(rule.id);
    }
  }

  /** Marks the asset for the computer that takes over. */
  markAsset(rule: WatchRule, entry: LedgerEntry, job: JobSnapshot): Promise<void> {
    return writeMark(rule.folder, this.#markOf(rule, entry, job));
  }

  /**
   * Marks the outcome once nothing more is tried automatically. If the credentials expired first, another
   * computer may try again. Throws `watch-lease-unwritable`.
   */
  async markEnd(
    rule: WatchRule,
    entry: LedgerEntry,
    job: JobSnapshot | undefined,
    receipt: Receipt | null,
  ): Promise<void> {
    if (job?.status === 'expired') return;
    const isDone = entry.state === 'complete';
    const content = isDone && receipt ? await contentOfSent(entry.path, receipt.files) : null;
    const mark = this.#markOf(rule, entry, job);
    const outcome = entry.error?.code ?? entry.state;
    await writeMark(rule.folder, { ...mark, state: isDone ? 'done' : 'failed', outcome, content });
  }

  #markOf(rule: WatchRule, entry: LedgerEntry, job: JobSnapshot | undefined): Mark {
    const id = job?.assetId ?? entry.assetId;
    const uploaded = (job ?? entry).uploadedAt !== null;
    return {
      ...{ version: 1, owner: this.#owner, source: entry.path, identity: entry.identity },
      ...{ state: 'taken', outcome: null, content: null },
      asset: id === null ? null : { id, service: this.#accounts.serviceOf(rule.accountId), uploaded },
      files: this.#filesOf(rule, entry.path),
    };
  }

  #filesOf(rule: WatchRule, path: string): string[] | null {
    if (batchNumber(path) === null) return null;
    for (const batch of this.#parts.ledger.batchesOf(rule.id))
      if (batch.path === path) return [...batch.files];
    return null;
  }

  /** Publishes the finished sources of a newly shared folder. */
  async publish(rule: WatchRule): Promise<void> {
    if (await hasMarks(rule.folder)) return;
    for (const entry of this.#parts.ledger.list(rule.id, maxPublished)) {
      if (entry.state !== 'complete' || entry.movedTo !== null) continue;
      const { content } = entry;
      await writeMark(rule.folder, { ...this.#markOf(rule, entry, undefined), state: 'done', content });
    }
  }

  /** Excludes the previous computer's batches from the next one. */
  async knowBatches(rule: WatchRule): Promise<void> {
    if (rule.unit.kind !== 'batch') return;
    for (const { source: path, files } of await batchMarks(rule.folder))
      if (files) this.#parts.ledger.keepBatch(rule.id, { path, files: files.map((key) => ({ key })) });
  }
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
