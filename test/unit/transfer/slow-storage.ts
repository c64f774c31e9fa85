import { createHash } from 'node:crypto';
import type {
  BegunUpload,
  PartOrder,
  RequestOptions,
  SentPart,
  StoredPart,
} from '../../../main/storage/storage.ts';
import { StorageError } from '../../../main/storage/storage-error.ts';
import { FakeStorage } from './fake-storage.ts';

export interface LineShape {
  /** Bytes/s, shared by all connections. */
  readonly rate: number;
  /** One way, ms. */
  readonly delayMs: number;
  /** Bytes of each connection that the system buffers at once. */
  readonly buffers: number;
  /** Unacknowledged bytes of each connection at most. Default: unlimited. */
  readonly window?: number;
  /** Bytes of all connections that a router before the line buffers. Default: none. */
  readonly router?: number;
  /** Aborts a try that moves no byte for this long, ms. Default: never. */
  readonly stallMs?: number;
}

interface SendingPart {
  gone: number;
  movedAt: number;
  written: number;
  readonly startedAt: number;
  readonly order: PartOrder;
  readonly onSent: (bytes: number) => void;
  readonly arrive: () => void;
  readonly fail: (code: string) => void;
}

/** Simulated step of the line, ms. */
export const stepMs = 25;

/** Storage behind a slow line, with fake timers. Ignores the content of bytes. */
export class SlowLineStorage extends FakeStorage {
  readonly #line: LineShape;
  readonly #sending = new Set<SendingPart>();
  readonly #parts = new Map<string, Map<number, StoredPart>>();
  /** Current share of the line's initial rate. */
  share = 1;
  stalls = 0;
  isStanding = false;
  /** Most bytes of buffered parts at a time. */
  mostInMemory = 0;
  streamed = 0;
  /** Most parts in flight before the first confirmation. */
  mostUnconfirmed = 0;
  #confirmedBytes = 0;
  /** Bytes in the router's queue. */
  #queued = 0;

  constructor(line: LineShape) {
    super();
    this.#line = line;
  }

  override roundTripMs(): number {
    return 2 * this.#line.delayMs;
  }

  override sendPart(order: PartOrder, options: RequestOptions = {}): Promise<SentPart> {
    const { number, length: size, uploadId, key } = order;
    const { delayMs } = this.#line;
    return new Promise((resolve, reject) => {
      const sending: SendingPart = {
        ...{ gone: 0, written: 0, order, startedAt: performance.now() + delayMs, movedAt: performance.now() },
        onSent: options.onSent ?? (() => {}),
        fail: (code) => reject(new StorageError({ code, message: 'A test.' })),
        arrive: () => {
          const etag = createHash('md5').update(`${key} ${number}`).digest('hex');
          if (uploadId !== null) this.#parts.get(uploadId)?.set(number, { number, size, etag });
          setTimeout(() => {
            this.#confirmedBytes += 1;
            resolve({ number, size, etag, isMd5: true });
          }, delayMs);
        },
      };
      this.#sending.add(sending);
      if (order.isStreamed) this.streamed += 1;
      if (this.#confirmedBytes === 0)
        this.mostUnconfirmed = Math.max(this.mostUnconfirmed, this.#sending.size);
      const inMemory = [...this.#sending].reduce(
        (sum, sending) => sum + (sending.order.isStreamed ? 0 : sending.order.length),
        0,
      );
      this.mostInMemory = Math.max(this.mostInMemory, inMemory);
      options.signal?.addEventListener('abort', () => {
        this.#sending.delete(sending);
        reject(options.signal?.reason);
      });
    });
  }

  override async createMultipartUpload(key: string): Promise<BegunUpload> {
    this.#parts.set(key, new Map());
    return { uploadId: key, checksum: null };
  }

  override async listParts(_key: string, uploadId: string) {
    return [...(this.#parts.get(uploadId)?.values() ?? [])];
  }

  override async completeMultipartUpload(): Promise<{ etag: string; isUnexpected: boolean }> {
    return { etag: '', isUnexpected: false };
  }

  reset(): void {
    const [sending] = this.#sending;
    if (!sending) return;
    this.#sending.delete(sending);
    sending.fail('ECONNRESET');
  }

  step(): void {
    const { buffers, delayMs, window = Number.POSITIVE_INFINITY } = this.#line;
    const { stallMs = Number.POSITIVE_INFINITY } = this.#line;
    const { router = 0 } = this.#line;
    const drained = this.isStanding ? 0 : (this.#line.rate * this.share * stepMs) / 1000;
    const open = [...this.#sending].filter(({ startedAt }) => startedAt <= performance.now());
    const room = router - this.#queued + drained;
    this.#queued = Math.max(0, this.#queued - drained);
    for (const sending of open) {
      const { length } = sending.order;
      const goneBytes = Math.min(
        room / open.length,
        (window * stepMs) / (2 * delayMs),
        length - sending.gone,
      );
      sending.gone += goneBytes;
      if (router > 0) this.#queued += goneBytes;
      const writtenBytes = Math.min(length, sending.gone + buffers);
      if (writtenBytes > sending.written) {
        sending.onSent(writtenBytes - sending.written);
        sending.movedAt = performance.now();
      }
      sending.written = writtenBytes;
      const stalls = performance.now() - sending.movedAt > stallMs;
      if (sending.gone < length && !stalls) continue;
      this.#sending.delete(sending);
      if (stalls) this.stalls += 1;
      if (stalls) sending.fail('Stalled');
      else sending.arrive();
    }
  }
}
