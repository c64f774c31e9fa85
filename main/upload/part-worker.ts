import type { SecureContext } from 'node:tls';
import { TileliftError } from '../errors.ts';
import { BufferPool } from './buffer-pool.ts';
import { confirmedEtag } from './part-answer.ts';
import { Signer } from './sigv4.ts';
import { checkSource, checkSourceSync, type ReadPart, readPart, readPartSync } from './source-part.ts';
import type { PartOrder, PartReceipt } from './storage.ts';
import { encodeKey, encodeSegment, storageAddress } from './storage-address.ts';
import { StorageError } from './storage-error.ts';
import { readStorageFault } from './storage-fault.ts';
import { type Flight, StorageLine } from './storage-line.ts';
import { TokenTaker } from './throttle.ts';
import type { FromWorker, PartOutcome, ToWorker, WorkerSetup } from './worker-messages.ts';

export interface PartWorkerOptions {
  readonly setup: WorkerSetup;
  readonly secureContext: SecureContext | undefined;
  readonly post: (message: FromWorker) => void;
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
}

/** A file up to this size is read without the thread pool, while the disk answers within `slowDiskMs`. */
const smallFile = 256 * 1024;
const slowDiskMs = 4;
/** So many files go through the thread pool before the disk is tried again. */
const slowDiskFiles = 200;
/** Outcomes are told in the turn in which they come, movement now and then. */
const tellMs = 100;

/** What runs in a worker thread: reads, hashes, signs and sends the parts it is ordered to, and tells what became of them. */
export class PartWorker {
  readonly #options: PartWorkerOptions;
  readonly #address;
  readonly #line: StorageLine;
  readonly #signer: Signer;
  readonly #buffers = new BufferPool();
  readonly #flights = new Map<number, Flight | null>();
  readonly #prefix: string;
  #outcomes: { id: number; outcome: PartOutcome }[] = [];
  #sent = new Map<number, number>();
  #telling: NodeJS.Timeout | undefined;
  /** Storage's clock less ours, ms. */
  #skewMs = 0;
  #asynchronous = 0;

  constructor(options: PartWorkerOptions) {
    const { location, stallMs, tokens } = options.setup;
    this.#options = options;
    this.#address = storageAddress(location.bucket, location.endpoint);
    this.#prefix = location.prefix;
    this.#line = new StorageLine({
      address: this.#address,
      secureContext: options.secureContext,
      stallMs,
      tokens: new TokenTaker(tokens),
    });
    this.#signer = new Signer(location);
  }

  take(message: ToWorker): void {
    if (message.kind === 'drop') {
      for (const id of message.ids) this.#drop(id);
      return;
    }
    for (const { id, order } of message.orders) {
      this.#flights.set(id, null);
      this.#run(id, order).then(
        (outcome) => this.#tell(id, outcome),
        (thrown: unknown) => this.#tell(id, this.#outcomeOf(thrown, id)),
      );
    }
  }

  close(): void {
    this.#line.close();
    clearTimeout(this.#telling);
  }

  /** A part that is still being read is dropped before it is sent. */
  #drop(id: number): void {
    this.#flights.get(id)?.drop(new Dropped());
    this.#flights.delete(id);
  }

  async #run(id: number, order: PartOrder): Promise<PartOutcome> {
    const buffer = this.#buffers.take(order.length);
    try {
      const read = await this.#read(order, buffer);
      const md5 = read.md5.toString('hex');
      if (order.adoptable === md5) return { kind: 'done', receipt: { etag: md5, sent: false } };
      if (!this.#flights.has(id)) throw new Dropped();
      const receipt = await this.#send(id, order, read, md5);
      return { kind: 'done', receipt };
    } finally {
      this.#buffers.give(buffer);
    }
  }

  async #read(order: PartOrder, buffer: Buffer): Promise<ReadPart> {
    if (!this.#atOnce(order)) {
      this.#asynchronous -= 1;
      return readPart(order, order.offset, order.length, buffer);
    }
    const began = performance.now();
    const read = readPartSync(order, buffer);
    if (performance.now() - began > slowDiskMs) this.#asynchronous = slowDiskFiles;
    return read;
  }

  #atOnce({ uploadId, length }: PartOrder): boolean {
    return uploadId === null && length <= smallFile && this.#asynchronous <= 0;
  }

  async #send(
    id: number,
    order: PartOrder,
    { bytes, md5: digest }: ReadPart,
    md5: string,
  ): Promise<PartReceipt> {
    const { now } = this.#options;
    const path = this.#address.base + encodeKey(this.#prefix + order.key);
    const query: [string, string][] =
      order.uploadId === null
        ? []
        : [
            ['partNumber', String(order.number)],
            ['uploadId', encodeSegment(order.uploadId)],
            ['x-id', 'UploadPart'],
          ];
    const headers = this.#signer.headers({
      method: 'PUT',
      host: this.#address.host,
      path,
      query,
      contentMd5: digest.toString('base64'),
      at: now() + this.#skewMs,
    });
    const flight = this.#line.put({
      path: query.length === 0 ? path : `${path}?${query.map((pair) => pair.join('=')).join('&')}`,
      headers,
      body: bytes,
      onSent: (count) => this.#count(id, count),
    });
    this.#flights.set(id, flight);
    const answer = await flight.answer;
    try {
      const etag = confirmedEtag(answer, md5, order.uploadId !== null, now());
      if (order.uploadId === null) {
        if (this.#atOnce(order)) checkSourceSync(order);
        else await checkSource(order);
      }
      return { etag, sent: true };
    } catch (thrown) {
      if (thrown instanceof StorageError && thrown.fault.code === 'RequestTimeTooSkewed') {
        this.#correctClock(answer.headers.date);
      }
      throw thrown;
    }
  }

  /** RFC 9110 6.6.1: when the answer was made. */
  #correctClock(date: string | undefined): void {
    const theirs = Date.parse(date ?? '');
    if (!Number.isNaN(theirs)) this.#skewMs = theirs - this.#options.now();
  }

  #outcomeOf(thrown: unknown, id: number): PartOutcome {
    if (thrown instanceof Dropped || !this.#flights.has(id)) return { kind: 'dropped' };
    if (thrown instanceof StorageError) return { kind: 'fault', fault: thrown.fault };
    if (
      thrown instanceof TileliftError &&
      (thrown.code === 'source-changed' || thrown.code === 'source-unreadable')
    ) {
      return { kind: 'source', code: thrown.code, cause: String(thrown.cause ?? '') };
    }
    return { kind: 'fault', fault: readStorageFault(thrown, this.#options.now()) };
  }

  #count(id: number, bytes: number): void {
    this.#sent.set(id, (this.#sent.get(id) ?? 0) + bytes);
    this.#telling ??= setTimeout(() => this.#post(), tellMs);
  }

  #tell(id: number, outcome: PartOutcome): void {
    this.#flights.delete(id);
    this.#sent.delete(id);
    if (this.#outcomes.length === 0) setImmediate(() => this.#post());
    this.#outcomes.push({ id, outcome });
  }

  #post(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    const news = { kind: 'news', sent: [...this.#sent], outcomes: this.#outcomes } as const;
    this.#sent = new Map();
    this.#outcomes = [];
    if (news.sent.length + news.outcomes.length > 0) this.#options.post(news);
  }
}

/** The main thread wants it no more. */
class Dropped extends Error {}
