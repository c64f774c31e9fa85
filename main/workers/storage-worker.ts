import { createHash } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { TileliftError } from '../errors.ts';
import { ThreadReads } from '../source/pool-reads.ts';
import { type ReadPart, SourceReplaced } from '../source/source-part.ts';
import { errorCode, refusesPathStyle } from '../storage/call-answer.ts';
import { networkFault } from '../storage/connections/network-fault.ts';
import { type Flight, StorageLine } from '../storage/connections/storage-line.ts';
import { confirmedEtag } from '../storage/part-answer.ts';
import { Signer } from '../storage/sigv4.ts';
import type { PartOrder, PartReceipt } from '../storage/storage.ts';
import { encodeKey, encodeSegment, type StorageAddress, storageAddress } from '../storage/storage-address.ts';
import type { CallAnswer, StorageCall } from '../storage/storage-call.ts';
import { StorageFacts } from '../storage/storage-facts.ts';
import { TokenTaker } from '../storage/throttle.ts';
import { BufferPool } from './buffer-pool.ts';
import { SourceReader } from './source-reader.ts';
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
  readonly #pathStyle: Place;
  /** Once storage has refused the bucket in the path. */
  #inHost: Place | null = null;
  readonly #signer: Signer;
  readonly #buffers = new BufferPool();
  readonly #flights = new Map<number, Flight | null>();
  readonly #prefix: string;
  #outcomes: { id: number; outcome: WorkerOutcome }[] = [];
  #sent = new Map<number, number>();
  #telling: NodeJS.Timeout | undefined;
  readonly #facts: StorageFacts;
  readonly #reader: SourceReader;

  constructor(options: StorageWorkerOptions) {
    const { location, facts, readStallMs, poolReads, threadReads } = options.setup;
    this.#options = options;
    this.#prefix = location.prefix;
    this.#pathStyle = this.#placeAt(storageAddress(location.bucket, location.endpoint));
    this.#signer = new Signer(location);
    this.#facts = new StorageFacts(facts);
    this.#reader = new SourceReader(new ThreadReads(poolReads, threadReads), readStallMs);
  }

  take(message: Exclude<ToWorker, { kind: 'serve' | 'rest' }>): void {
    if (message.kind === 'renew') {
      this.#pathStyle.line.dropIdle();
      this.#inHost?.line.dropIdle();
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
    this.#pathStyle.line.close();
    this.#inHost?.line.close();
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
      if (order.adoptable === md5) return { etag: md5, sent: false, isMd5: true };
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
    const query =
      order.uploadId === null ? '' : `partNumber=${order.number}&uploadId=${encodeSegment(order.uploadId)}`;
    const answer = await this.#request(id, {
      method: 'PUT',
      path: encodeKey(this.#prefix + order.key),
      query,
      body: read.bytes,
      md5: read.md5.toString('base64'),
      proxy,
      answerMs: null,
    });
    const etag = confirmedEtag(answer, md5, this.#facts, this.#options.now());
    if (order.uploadId === null) await this.#reader.checkSent(id, order, read);
    return { etag, sent: true, isMd5: etag.toLowerCase() === md5 };
  }

  #call(id: number, { body: text, ...call }: StorageCall, proxy: string | null): Promise<CallAnswer> {
    const body = text === null ? null : Buffer.from(text);
    const md5 = body && createHash('md5').update(body).digest('base64');
    return this.#request(id, { ...call, body, md5, proxy });
  }

  async #request(id: number, request: Request): Promise<CallAnswer> {
    if (!this.#flights.has(id)) throw new Dropped();
    const { method, query, body, md5, proxy, answerMs } = request;
    const { address, line } = this.#place();
    const path = address.base + request.path;
    const at = this.#options.now() + this.#facts.skewMs;
    const headers = this.#signer.headers({ method, host: address.host, path, query, contentMd5: md5, at });
    const flight = line.send({
      method,
      path: query ? `${path}?${query}` : path,
      headers,
      body,
      proxy,
      answerMs,
      onSent: (count) => this.#count(id, count),
    });
    this.#flights.set(id, flight);
    const answer = await flight.answer;
    if (answer.status < 300) return answer;
    if (answer.status === 403) this.#correctClock(answer);
    return this.#putsBucketInHost(answer, address) ? this.#request(id, request) : answer;
  }

  #place(): Place {
    if (!this.#facts.bucketInHost) return this.#pathStyle;
    const { bucket, endpoint } = this.#options.setup.location;
    this.#inHost ??= this.#placeAt(storageAddress(bucket, endpoint, true));
    return this.#inHost;
  }

  #placeAt(address: StorageAddress): Place {
    const { setup, secureContext } = this.#options;
    const tokens = new TokenTaker(setup.tokens);
    return { address, line: new StorageLine({ address, secureContext, stallMs: setup.stallMs, tokens }) };
  }

  /** True where storage refused this address for its style, and another is tried from now on. */
  #putsBucketInHost(answer: CallAnswer, refused: StorageAddress): boolean {
    const { bucket, endpoint } = this.#options.setup.location;
    const other = storageAddress(bucket, endpoint, true);
    if (other.host === refused.host || !refusesPathStyle(answer, other.host)) return false;
    this.#facts.bucketInHost = true;
    return true;
  }

  /** RFC 9110 6.6.1: `Date` says when the answer was made. */
  #correctClock(answer: CallAnswer): void {
    const theirs = Date.parse(answer.headers.date ?? '');
    if (errorCode(answer) !== 'RequestTimeTooSkewed' || Number.isNaN(theirs)) return;
    this.#facts.skewMs = theirs - this.#options.now();
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

/** Where requests go, and the connections there. */
interface Place {
  readonly address: StorageAddress;
  readonly line: StorageLine;
}

interface Request extends Omit<StorageCall, 'body'> {
  readonly body: Buffer | null;
  /** Base64. */
  readonly md5: string | null;
  readonly proxy: string | null;
}

/** The main thread wants it no more. */
class Dropped extends Error {}
