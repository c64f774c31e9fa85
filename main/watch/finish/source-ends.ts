import { errorPhrase } from '../../../strings/said-error.ts';
import { type ErrorRecord, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { removeMark } from '../lease/marks.ts';
import type { SourceMarks } from '../lease/takeover.ts';
import type { FolderLeases } from '../model/lease-model.ts';
import type { FoundSource, LedgerEntry, Receipt, WatchEnd } from '../model/model.ts';
import { targetFields, targetOf, type WatchRule } from '../model/rule.ts';
import { batchNumber, nameOf } from '../model/source-names.ts';
import { contentOfSent, unverifiable } from '../scan/content.ts';
import { rulesBeside } from '../scan/earlier-rules.ts';
import { scanAround, scanSourceAt } from '../scan/scan-rule.ts';
import type { Contents } from '../state/contents.ts';
import { isUntouched, maybeSameContent } from '../state/ledger/asset-rules.ts';
import { type LedgerPorts, type WatchAccounts, writeActivity } from '../state/ports.ts';
import { sourceScanOptions } from '../state/scan-options.ts';
import { moveSource } from './move-source.ts';
import { makeReceipt } from './receipt.ts';

interface SourceEndsOptions {
  readonly parts: LedgerPorts;
  readonly accounts: Pick<WatchAccounts, 'serviceOf'>;
  readonly contents: Contents;
  readonly leases: FolderLeases;
  readonly marks: SourceMarks;
  readonly onEnd: (end: WatchEnd) => void;
  readonly worker: URL | undefined;
}

/** Maximum time to compare a touched source, ms. */
const moveReadMs = 10 * 60_000;

/** Receipts, marks, notifications and moves of ended sources. */
export class SourceEnds {
  readonly #options: SourceEndsOptions;

  constructor(options: SourceEndsOptions) {
    this.#options = options;
  }

  /** Nothing more is tried. `entry`: the future ledger row. Returns the new path if moved. */
  async finish(rule: WatchRule, entry: LedgerEntry, job: JobSnapshot | undefined): Promise<string | null> {
    const { parts, leases, marks, onEnd } = this.#options;
    const { id: ruleId, name: ruleName } = rule;
    const receipt = job ? await this.#receiptOf(rule, entry, job) : null;
    if (job && receipt) {
      parts.ledger.addReceipt(receipt, job.id);
      parts.ledger.change(ruleId, entry.path, { content: await contentOfSent(entry.path, receipt.files) });
    }
    if (leases.writes(rule)) await marks.markEnd(rule, entry, job, receipt);
    const outcome = entry.state === 'complete' ? 'complete' : 'failed';
    const { path: source, jobId, error } = entry;
    const endedAt = entry.endedAt ?? parts.clock.now();
    onEnd({ ruleId, ruleName, source, outcome, jobId, endedAt, error });
    return this.#moveAway(rule, entry);
  }

  #receiptOf(rule: WatchRule, entry: LedgerEntry, job: JobSnapshot): Promise<Receipt> {
    const { parts, accounts } = this.#options;
    const { ledger, jobs } = parts;
    const service = accounts.serviceOf(job.accountId);
    return makeReceipt(rule, entry, job, service, jobs.sentFiles(job.id), ledger.inspectionOf(job.id));
  }

  /**
   * Moves a present source later: a kill or a full target prevented it, or the same data was delivered again.
   */
  async moveLate(rule: WatchRule, path: string): Promise<void> {
    if (targetFields(rule).length === 0) return;
    const { parts } = this.#options;
    const entry = parts.ledger.find(rule.id, path);
    const movedTo = entry ? await this.#moveAway(rule, entry) : null;
    if (movedTo === null || !entry) return;
    parts.ledger.change(rule.id, path, { movedTo });
    const { assetId: id } = entry;
    if (entry.movedTo === null || id === null || entry.state !== 'complete') return;
    const values = { name: nameOf(rule, path), id };
    writeActivity(parts, rule.id, { key: 'sources.alreadyAsset', values });
  }

  /** Moves an unchanged, finished source to the target folder. Null if it stays. */
  async #moveAway(rule: WatchRule, entry: LedgerEntry): Promise<string | null> {
    const { parts, leases, worker } = this.#options;
    if (entry.state === 'skipped' || entry.state === 'taken' || entry.state === 'waits-for-retry')
      return null;
    const target = targetOf(rule.folder, entry.state === 'complete' ? rule.afterSuccess : rule.afterFailure);
    if (target === null) return null;
    try {
      const source = await scanSourceAt(rule, entry.path, sourceScanOptions(rule, parts, worker));
      if (!source || !(await this.#isWhatWasSent(rule, source))) return null;
      const shared = await this.#sharedFiles(rule, source);
      const timestamp = parts.clock.now();
      const movedTo = await moveSource(source, { rule, target, timestamp, shared }, parts.ledger);
      if (leases.writes(rule) && batchNumber(entry.path) !== null) await removeMark(rule.folder, entry.path);
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

  async #isWhatWasSent(rule: WatchRule, source: FoundSource): Promise<boolean> {
    const { parts, contents } = this.#options;
    const row = parts.ledger.find(rule.id, source.path);
    if (!row) return false;
    if (isUntouched(source, row)) return true;
    if (!maybeSameContent(source, row) || (await contents.ofRow(row)) === unverifiable) return false;
    const content = await contents.ofSource(rule.id, source, AbortSignal.timeout(moveReadMs));
    return content === (await contents.ofRow(row));
  }

  async #sharedFiles(rule: WatchRule, source: FoundSource): Promise<ReadonlySet<string>> {
    if (rule.unit.kind === 'batch' || source.paths[0] === source.keysFrom) return new Set();
    const { parts, worker } = this.#options;
    const filePaths = source.files.map(({ path }) => path);
    const shared = new Set<string>();
    for (const anyRule of [rule, ...rulesBeside(rule, parts.rules())]) {
      const { sources } = await scanAround(anyRule, filePaths, sourceScanOptions(anyRule, parts, worker));
      for (const { path, files } of sources)
        if (anyRule !== rule || path !== source.path) for (const file of files) shared.add(file.path);
    }
    return shared;
  }
}
