import type { JobService } from '../../jobs/model.ts';
import { type ChecksumThread, createChecksumThread } from '../../transfer/checksum-thread.ts';
import { planFile } from '../../transfer/plan.ts';
import { createPause, WorkLine } from '../../work-line.ts';
import { without } from '../model/left-out.ts';
import type { FoundSource, LedgerEntry, ReceiptFile } from '../model/model.ts';
import { type Content, ContentSum, contentOfSent } from '../scan/content.ts';
import type { Ledger } from './ledger/ledger.ts';
import { sentFilesOf } from './ports.ts';

interface ContentsOptions {
  readonly ledger: Pick<Ledger, 'receiptOf' | 'change' | 'contentSeen' | 'seeContent' | 'ofJob'>;
  readonly jobs: Pick<JobService, 'get' | 'sentFiles'>;
  /** Default: the source, for plain Node. */
  readonly worker?: URL | undefined;
  readonly thread?: ChecksumThread;
  readonly leftOut?: (ruleId: string, source: FoundSource) => Promise<ReadonlySet<string>>;
  /** At most once a second. */
  readonly onProgress?: (ruleId: string) => void;
}

interface Reading {
  readonly bytes: number;
  bytesRead: number;
  reportedAt: number;
}

const progressMs = 1_000;
const nameOf = (ruleId: string, path: string) => `${ruleId}/${path}`;

/** Computes contents one source at a time, because parallel reads aren't faster. */
export class Contents {
  readonly #options: ContentsOptions;
  readonly #thread: ChecksumThread;
  readonly #line = new WorkLine();
  readonly #reading = new Map<string, Reading>();

  constructor(options: ContentsOptions) {
    this.#options = options;
    this.#thread = options.thread ?? createChecksumThread(options.worker);
  }

  /** Computes the uploaded content of this row once. */
  async ofRow(row: LedgerEntry): Promise<Content> {
    if (row.content !== null) return row.content;
    const content = await contentOfSent(row.path, await this.#sentOf(row));
    const { ledger } = this.#options;
    // It may have been uploaded again or renamed.
    const currentRow = row.jobId === null ? undefined : ledger.ofJob(row.jobId);
    if (currentRow) ledger.change(currentRow.ruleId, currentRow.path, { content });
    return content;
  }

  /**
   * Cached until the source changes; null if it has changed since its scan.
   *
   * @throws TileliftError `source-unreadable`, `source-stalled`
   * @throws the signal's reason when it aborts
   */
  async ofSource(ruleId: string, source: FoundSource, signal: AbortSignal): Promise<Content | null> {
    const { ledger } = this.#options;
    const cached = ledger.contentSeen(ruleId, source.path, source.digest);
    if (cached !== undefined) return cached;
    const name = nameOf(ruleId, source.path);
    const reading: Reading = { bytes: Math.max(1, source.bytes), bytesRead: 0, reportedAt: 0 };
    this.#reading.set(name, reading);
    const onBytes = (bytes: number) => this.#progress(ruleId, reading, bytes);
    const work = this.#line.run(() => this.#read(ruleId, source, { signal, onBytes }));
    const content = await work.finally(() => {
      if (this.#reading.get(name) === reading) this.#reading.delete(name);
    });
    if (content !== null) ledger.seeContent(ruleId, source.path, source.digest, content);
    return content;
  }

  /** Null unless it is queued. */
  percentRead(ruleId: string, path: string): number | null {
    const reading = this.#reading.get(nameOf(ruleId, path));
    return reading ? Math.min(100, Math.floor((100 * reading.bytesRead) / reading.bytes)) : null;
  }

  dispose(): void {
    this.#thread.close();
  }

  #progress(ruleId: string, reading: Reading, bytes: number): void {
    reading.bytesRead += bytes;
    const currentTime = performance.now();
    if (reading.reportedAt !== 0 && currentTime - reading.reportedAt < progressMs) return;
    reading.reportedAt = currentTime;
    this.#options.onProgress?.(ruleId);
  }

  async #read(
    ruleId: string,
    source: FoundSource,
    options: Parameters<ChecksumThread['ask']>[1],
  ): Promise<Content | null> {
    const { path } = source;
    const files = without(source.files, (await this.#options.leftOut?.(ruleId, source)) ?? new Set());
    const sum = new ContentSum(
      path,
      files.map(({ key }) => key),
    );
    for (const { path: file, key, size, mtimeMs } of files) {
      if (!sum.counts(key)) continue;
      const task = { path: file, size, mtimeMs, partSize: planFile(size).partSize };
      const checksum = await this.#thread.ask(task, options);
      if (checksum === null) return null;
      sum.add(key, size, checksum);
    }
    return sum.content;
  }

  async #sentOf({ jobId }: LedgerEntry): Promise<readonly ReceiptFile[]> {
    if (jobId === null) return [];
    const files: ReceiptFile[] = [];
    const pause = createPause();
    for (const file of sentFilesOf(jobId, this.#options)) {
      files.push(file);
      await pause();
    }
    return files;
  }
}
