import { createHash } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { TileliftError } from '../errors.ts';
import { BufferPool } from './buffer-pool.ts';
import { elementText } from './call-answer.ts';
import { networkFault } from './network-fault.ts';
import { confirmedEtag } from './part-answer.ts';
import { ThreadReads } from './pool-reads.ts';
import { Signer } from './sigv4.ts';
import { type ReadPart, SourceReplaced } from './source-part.ts';
import { SourceReader } from './source-reader.ts';
import type { PartOrder, PartReceipt } from './storage.ts';
import { encodeKey, encodeSegment, storageAddress } from './storage-address.ts';
import type { CallAnswer, StorageCall } from './storage-call.ts';
import { type Flight, StorageLine } from './storage-line.ts';
import { TokenTaker } from './throttle.ts';
import {
  type FromWorker,
  sourceTroubles,
  type ToWorker,
  type WorkerOrder,
  type WorkerOutcome,
  type WorkerSetup,
} from './worker-messages.ts';

export interface StorageWorkerOptions {
  readonly setup: WorkerSetup;
  readonly secureContext: SecureContext | undefined;
  readonly post: (message: FromWorker) => void;
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
}

/** Outcomes are told in the turn in which they come, movement now and then. */
const tellMs = 100;

/** What runs in a worker thread: reads, hashes, signs and sends the parts it is ordered to, and tells what became of them. */
export class StorageWorker {
  readonly #options: StorageWorkerOptions;
  readonly #address;
  readonly #line: StorageLine;
  readonly #signer: Signer;
  readonly #buffers = new BufferPool();
  readonly #flights = new Map<number, Flight | null>();
  readonly #prefix: string;
  #outcomes: { id: number; outcome: WorkerOutcome }[] = [];
  #sent = new Map<number, number>();
  #telling: NodeJS.Timeout | undefined;
  readonly #skew: Float64Array;
  readonly #reader: SourceReader;

  constructor(options: StorageWorkerOptions) {
    const { location, stallMs, readStallMs, tokens, skew, poolReads, threadReads } = options.setup;
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
    this.#skew = new Float64Array(skew);
    this.#reader = new SourceReader(new ThreadReads(poolReads, threadReads), readStallMs);
  }

  take(message: ToWorker): void {
    if (message.kind === 'renew') {
      this.#line.dropIdle();
      return;
    }
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

  async #run(id: number, order: WorkerOrder): Promise<WorkerOutcome> {
    const { proxy } = order;
    if (order.kind === 'hash') return { kind: 'hashed', md5: await this.#hash(id, order.part) };
    if (order.kind === 'part') return { kind: 'sent', receipt: await this.#part(id, order.part, proxy) };
    return { kind: 'answer', answer: await this.#call(id, order.call, proxy) };
  }

  async #part(id: number, order: PartOrder, proxy: string | null): Promise<PartReceipt> {
    return this.#buffered(order, async (buffer) => {
      const read = await this.#reader.read(id, order, buffer);
      const md5 = read.md5.toString('hex');
      if (order.adoptable === md5) return { etag: md5, sent: false };
      return this.#send(id, order, proxy, read, md5);
    });
  }

  #hash(id: number, order: PartOrder): Promise<string> {
    return this.#buffered(order, async (buffer) => {
      const { md5 } = await this.#reader.read(id, order, buffer);
      return md5.toString('hex');
    });
  }

  async #buffered<T>(order: PartOrder, work: (buffer: Buffer) => Promise<T>): Promise<T> {
    const buffer = this.#buffers.take(order.length);
    try {
      const result = await work(buffer);
      this.#buffers.give(buffer);
      return result;
    } catch (thrown) {
      // A drive that was given up may still write into it.
      if (!isStalled(thrown)) this.#buffers.give(buffer);
      throw thrown;
    }
  }

  async #send(
    id: number,
    order: PartOrder,
    proxy: string | null,
    read: ReadPart,
    md5: string,
  ): Promise<PartReceipt> {
    const query: [string, string][] =
      order.uploadId === null
        ? []
        : [
            ['partNumber', String(order.number)],
            ['uploadId', order.uploadId],
          ];
    const request = {
      method: 'PUT',
      key: order.key,
      query,
      body: read.bytes,
      md5: read.md5.toString('base64'),
      proxy,
    };
    const answer = await this.#request(id, request);
    const etag = confirmedEtag(answer, md5, order.uploadId !== null, this.#options.now());
    if (order.uploadId === null) await this.#reader.checkSent(id, order, read);
    return { etag, sent: true };
  }

  #call(
    id: number,
    { method, key, query, body: text }: StorageCall,
    proxy: string | null,
  ): Promise<CallAnswer> {
    const body = text === null ? null : Buffer.from(text);
    const md5 = body && createHash('md5').update(body).digest('base64');
    return this.#request(id, { method, key, query, body, md5, proxy });
  }

  async #request(id: number, { method, key, query, body, md5, proxy }: Request): Promise<CallAnswer> {
    if (!this.#flights.has(id)) throw new Dropped();
    const { base, host } = this.#address;
    const path = base + encodeKey(this.#prefix + key);
    const encoded = query.map(([name, value]) => `${name}=${encodeSegment(value)}`).join('&');
    const at = this.#options.now() + (this.#skew[0] ?? 0);
    const headers = this.#signer.headers({ method, host, path, query: encoded, contentMd5: md5, at });
    const flight = this.#line.send({
      method,
      path: encoded ? `${path}?${encoded}` : path,
      headers,
      body,
      proxy,
      onSent: (count) => this.#count(id, count),
    });
    this.#flights.set(id, flight);
    const answer = await flight.answer;
    if (answer.status === 403) this.#correctClock(answer);
    return answer;
  }

  /** RFC 9110 6.6.1: `Date` says when the answer was made. */
  #correctClock({ body, headers }: CallAnswer): void {
    const theirs = Date.parse(headers.date ?? '');
    if (elementText(body, 'Code') !== 'RequestTimeTooSkewed' || Number.isNaN(theirs)) return;
    this.#skew[0] = theirs - this.#options.now();
  }

  #outcomeOf(thrown: unknown, id: number): WorkerOutcome {
    if (thrown instanceof Dropped || !this.#flights.has(id)) return { kind: 'dropped' };
    if (thrown instanceof SourceReplaced) return { kind: 'replaced', found: thrown.found };
    const code = thrown instanceof TileliftError && sourceTroubles.find((one) => one === thrown.code);
    if (code) return { kind: 'source', code, cause: String(thrown.cause ?? '') };
    return { kind: 'fault', fault: networkFault(thrown) };
  }

  #count(id: number, bytes: number): void {
    this.#sent.set(id, (this.#sent.get(id) ?? 0) + bytes);
    this.#telling ??= setTimeout(() => this.#post(), tellMs);
  }

  #tell(id: number, outcome: WorkerOutcome): void {
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

function isStalled(thrown: unknown): boolean {
  return thrown instanceof TileliftError && thrown.code === 'source-stalled';
}

interface Request {
  readonly method: string;
  readonly key: string;
  readonly query: StorageCall['query'];
  readonly body: Buffer | null;
  /** Base64. */
  readonly md5: string | null;
  readonly proxy: string | null;
}

/** The main thread wants it no more. */
class Dropped extends Error {}
