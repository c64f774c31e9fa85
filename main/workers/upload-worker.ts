/** Entry point of an upload worker thread. */
import { hash } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { parentPort } from 'node:worker_threads';
import { TileliftError } from '../errors.ts';
import { type RequestedSums, type Sums, sumsOf } from '../files/checksums.ts';
import { ThreadReads } from '../files/pool-reads.ts';
import { SourceReplaced } from '../files/read-source.ts';
import { giveMemoryBack } from '../free-memory.ts';
import { hasStorageMark } from '../service/who-answered.ts';
import { networkFault } from '../storage/connection-fault.ts';
import { crc32Text } from '../storage/crc32.ts';
import { bareEtag } from '../storage/etag.ts';
import { StorageConnections } from '../storage/requests/storage-connections.ts';
import type { Flight, StorageRequest } from '../storage/requests/storage-request.ts';
import { Signer } from '../storage/sigv4.ts';
import type { AdoptablePart, PartOrder, SentPart } from '../storage/storage.ts';
import { encodeKey, encodeSegment, storageAddress } from '../storage/storage-address.ts';
import {
  type CallAnswer,
  type ConfirmedBytes,
  confirmedBytes,
  errorCode,
  refusalOf,
  refusesPathStyle,
} from '../storage/storage-answer.ts';
import { type ChecksumPlace, StorageFacts } from '../storage/storage-facts.ts';
import { TokenTaker } from '../storage/throttle.ts';
import { lowerPriority } from './lower-priority.ts';
import { SourceReader } from './source-reader.ts';
import type { StreamedPart } from './streamed-part.ts';
import {
  type FromWorker,
  sourceTroubles,
  type ToWorker,
  type WorkerOrder,
  type WorkerOutcome,
  type WorkerSetup,
} from './worker-messages.ts';
import { WorkerNews } from './worker-news.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
lowerPriority();
const post = (message: FromWorker) => port.postMessage(message);

const onlyMd5: RequestedSums = { md5: true, crc32: false };

/** Each large part leaves 6 KB of garbage, and V8 would let 20 MB accumulate. */
const bytesBetweenCollections = 2 * 2 ** 30;

function placeOf(uploadId: string | null): ChecksumPlace {
  return uploadId === null ? 'object' : 'part';
}

async function md5Of(bytes: Buffer | StreamedPart): Promise<Buffer | null> {
  return 'sums' in bytes ? (await bytes.sums(onlyMd5)).md5 : hash('md5', bytes, 'buffer');
}

function sameCrc32(storedPart: AdoptablePart, { crc32 }: Sums): { readonly crc32?: number } {
  return crc32 !== null && crc32 === storedPart.crc32 ? { crc32 } : {};
}

/** May be a store without S3's headers, or not a store. */
function isUnmarkedSuccess({ status, headers, body }: CallAnswer): boolean {
  return status < 300 && body === '' && headers.etag !== undefined && !hasStorageMark(headers);
}

class DroppedTask extends Error {}

class UploadWorker {
  readonly #setup: WorkerSetup;
  readonly #facts: StorageFacts;
  readonly #signer: Signer;
  readonly #secureContext: SecureContext | undefined;
  readonly #reader: SourceReader;
  readonly #pathStyle: StorageConnections;
  /** For stores that refuse the bucket in the path. */
  #inHost: StorageConnections | null = null;
  /** Null until sent, absent once dropped. */
  readonly #flights = new Map<number, Flight | null>();
  readonly #workerNews = new WorkerNews(post);
  #sentBytes = 0;

  constructor(setup: WorkerSetup) {
    this.#setup = setup;
    this.#facts = new StorageFacts(setup.facts);
    this.#signer = new Signer(setup.location);
    this.#secureContext = setup.ca ? createSecureContext({ ca: [...setup.ca] }) : undefined;
    const reads = new ThreadReads(setup.poolReads, setup.threadReads);
    this.#reader = new SourceReader(reads, setup.readStallMs, () => performance.now());
    this.#pathStyle = this.#connections();
  }

  handleMessage(message: Exclude<ToWorker, { kind: 'serve' | 'rest' }>): void {
    switch (message.kind) {
      case 'renew':
        this.#pathStyle.dropIdle();
        this.#inHost?.dropIdle();
        break;
      case 'drop':
        for (const id of message.ids) this.#dropTask(id);
        break;
      case 'work':
        for (const order of message.orders) {
          this.#flights.set(order.id, null);
          this.#answer(order).then(
            (answer) => this.#report(order, { kind: 'answer', answer }),
            (error: unknown) => this.#report(order, this.#outcomeOf(error, order.id)),
          );
        }
    }
  }

  close(): void {
    this.#pathStyle.close();
    this.#inHost?.close();
    this.#workerNews.close();
  }

  #dropTask(id: number): void {
    this.#flights.get(id)?.abort(new DroppedTask());
    this.#flights.delete(id);
  }

  async #answer(order: WorkerOrder): Promise<SentPart | string | CallAnswer> {
    if (order.kind === 'hash')
      return this.#reader.read(order.id, order.input, onlyMd5, async ({ md5 }) => md5?.toString('hex') ?? '');
    return order.kind === 'part' ? this.#part(order) : this.#call(order);
  }

  #part(order: WorkerOrder<'part'>): Promise<SentPart> {
    const { id, input: part } = order;
    const requestedSums = this.#requestedSums(part);
    if (part.content !== undefined) {
      const bytes = Buffer.from(part.content);
      return this.#putObject(order, bytes, sumsOf(bytes, requestedSums));
    }
    if (part.isStreamed)
      return this.#reader.stream(id, part, requestedSums, (body, sums) => this.#putObject(order, body, sums));
    return this.#reader.read(id, part, requestedSums, async (read) => {
      const sentPart = await this.#putObject(order, read.bytes, read);
      if (part.uploadId === null) await this.#reader.checkSent(id, part, read);
      return sentPart;
    });
  }

  /** The CRC32 is almost free next to the MD5; it goes alone if this storage compares it. */
  #requestedSums({ mayCarryCrc32, uploadId, adoptable }: PartOrder): RequestedSums {
    const kind = mayCarryCrc32 ? this.#facts.checksums(placeOf(uploadId)) : 'ignored';
    return { md5: kind !== 'compared' || adoptable !== null, crc32: kind !== 'ignored' };
  }

  async #putObject(order: WorkerOrder<'part'>, bytes: Buffer | StreamedPart, sums: Sums): Promise<SentPart> {
    const { number, length: size, adoptable } = order.input;
    if (adoptable !== null && adoptable.md5 === sums.md5?.toString('hex'))
      return { number, size, etag: adoptable.md5, isMd5: true, ...sameCrc32(adoptable, sums) };
    const confirmedBytes =
      (await this.#try(order, bytes, sums)) ?? (await this.#tryWithoutCrc32(order, bytes, sums));
    this.#reportSent(size);
    const { crc32, ...storedObject } = confirmedBytes;
    return { number, size, ...storedObject, ...(crc32 === null ? {} : { crc32 }) };
  }

  #reportSent(bytes: number): void {
    this.#sentBytes += bytes;
    if (this.#sentBytes < bytesBetweenCollections) return;
    this.#sentBytes = 0;
    giveMemoryBack();
  }

  /** Only a success proves that the CRC32 caused the refusal. */
  async #tryWithoutCrc32(
    order: WorkerOrder<'part'>,
    bytes: Buffer | StreamedPart,
    { md5 }: Sums,
  ): Promise<ConfirmedBytes> {
    const confirmedBytes = await this.#try(order, bytes, { md5: md5 ?? (await md5Of(bytes)), crc32: null });
    if (!confirmedBytes) throw new Error('storage said nothing of the MD5');
    this.#facts.recordChecksum(placeOf(order.input.uploadId), 'ignored');
    return confirmedBytes;
  }

  async #try(
    { id, input: partOrder, proxy }: WorkerOrder<'part'>,
    body: Buffer | StreamedPart,
    { md5, crc32 }: Sums,
  ): Promise<ConfirmedBytes | null> {
    const { key, uploadId, number } = partOrder;
    const path = encodeKey(this.#setup.location.prefix + key);
    const answer = await this.#request(id, {
      method: 'PUT',
      path,
      query: uploadId === null ? '' : `partNumber=${number}&uploadId=${encodeSegment(uploadId)}`,
      headers: {
        ...(md5 === null ? {} : { 'content-md5': md5.toString('base64') }),
        ...(crc32 === null ? {} : { 'x-amz-checksum-crc32': crc32Text(crc32) }),
      },
      body,
      proxy,
      answerMs: null,
    });
    const sums = { md5: md5?.toString('hex') ?? null, crc32 };
    const needsProof = isUnmarkedSuccess(answer) && bareEtag(answer.headers.etag ?? '') !== sums.md5;
    const isUnmarkedStore = needsProof && (await this.#isUnmarkedStore(id, path, proxy));
    return confirmedBytes(answer, sums, placeOf(uploadId), this.#facts, Date.now(), isUnmarkedStore);
  }

  /** S3 refuses to list a nonexistent upload with a document, whatever the credentials permit. */
  async #isUnmarkedStore(id: number, path: string, proxy: string | null): Promise<boolean> {
    if (this.#facts.answersUnmarked) return true;
    const answer = await this.#request(id, {
      ...{ method: 'GET', path, query: 'uploadId=none', headers: {}, body: null, proxy, answerMs: null },
    });
    const isStorage = refusalOf(answer, 'GET', Date.now())?.fromStorage === true;
    if (isStorage && !hasStorageMark(answer.headers)) this.#facts.recordUnmarkedDocument();
    return isStorage;
  }

  #call({ id, input: call, proxy }: WorkerOrder<'call'>): Promise<CallAnswer> {
    const body = call.body === null ? null : Buffer.from(call.body);
    const headers = body ? { ...call.headers, 'content-md5': hash('md5', body, 'base64') } : call.headers;
    return this.#request(id, { ...call, body, headers, proxy });
  }

  async #request(id: number, request: Omit<StorageRequest, 'onSent'>): Promise<CallAnswer> {
    if (!this.#flights.has(id)) throw new DroppedTask();
    const connections = this.#facts.bucketInHost ? this.#hostStyle : this.#pathStyle;
    const flight = connections.send({ ...request, onSent: (bytes) => this.#workerNews.noteMoved(id, bytes) });
    this.#flights.set(id, flight);
    const answer = await flight.answer;
    if (answer.status < 300) return answer;
    if (answer.status === 403) this.#correctClock(answer);
    return this.#putsBucketInHost(answer, connections) ? this.#request(id, request) : answer;
  }

  get #hostStyle(): StorageConnections {
    this.#inHost ??= this.#connections(true);
    return this.#inHost;
  }

  #connections(preferHost?: true): StorageConnections {
    const { location, stallMs, tokens } = this.#setup;
    return new StorageConnections({
      address: storageAddress(location.bucket, location.endpoint, preferHost),
      signer: this.#signer,
      secureContext: this.#secureContext,
      tokens: new TokenTaker(tokens),
      stallMs,
      currentTime: () => Date.now() + this.#facts.skewMs,
      onRoundTrip: (ms) => this.#facts.recordRoundTrip(ms),
    });
  }

  #putsBucketInHost(answer: CallAnswer, { address: refusedAddress }: StorageConnections): boolean {
    const { bucket, endpoint } = this.#setup.location;
    const hostAddress = storageAddress(bucket, endpoint, true);
    if (hostAddress.host === refusedAddress.host || !refusesPathStyle(answer, hostAddress.host)) return false;
    this.#facts.bucketInHost = true;
    return true;
  }

  /** `Date` gives the server's time (RFC 9110 6.6.1). */
  #correctClock(answer: CallAnswer): void {
    const storageTime = Date.parse(answer.headers.date ?? '');
    if (errorCode(answer) !== 'RequestTimeTooSkewed' || Number.isNaN(storageTime)) return;
    this.#facts.skewMs = storageTime - Date.now();
  }

  #outcomeOf(error: unknown, id: number): WorkerOutcome {
    if (error instanceof DroppedTask || !this.#flights.has(id)) return { kind: 'dropped' };
    if (error instanceof SourceReplaced) return { kind: 'replaced', identity: error.identity };
    const code = error instanceof TileliftError && sourceTroubles.find((trouble) => trouble === error.code);
    if (code) return { kind: 'source', code, cause: String(error.cause ?? '') };
    return { kind: 'fault', fault: networkFault(error) };
  }

  #report({ id, kind, input }: WorkerOrder, outcome: WorkerOutcome): void {
    this.#flights.delete(id);
    const mayWait = kind === 'part' && input.uploadId === null && outcome.kind === 'answer';
    this.#workerNews.addOutcome(id, outcome, mayWait, this.#flights.size);
  }
}

let worker: UploadWorker | null = null;
port.on('message', (message: ToWorker) => {
  if (message.kind === 'serve') {
    worker = new UploadWorker(message.setup);
    post({ kind: 'ready' });
  } else if (message.kind === 'rest') {
    worker?.close();
    worker = null;
  } else worker?.handleMessage(message);
});
