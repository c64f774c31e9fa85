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
  /** Bytes a second that all connections share. */
  readonly rate: number;
  /** Each way, ms. */
  readonly delayMs: number;
  /** Bytes of each connection that vanish in the buffers of the system at once. */
  readonly buffers: number;
  /** Bytes of each connection that are on their way without an acknowledgement. Default: no bound. */
  readonly window?: number;
  /** Bytes that a router before the line takes at once, of all connections together. Default: none. */
  readonly router?: number;
  /** A try that moves no byte for so long is given up, ms. Default: none is. */
  readonly stallMs?: number;
}

interface Sending {
  gone: number;
  movedAt: number;
  written: number;
  readonly from: number;
  readonly order: PartOrder;
  readonly onSent: (bytes: number) => void;
  readonly arrive: () => void;
  readonly fail: (code: string) => void;
}

/** What the line takes at once, ms. */
export const stepMs = 25;

/** Storage behind a slow line, in the time of fake timers: the bytes are not looked at. */
export class SlowLineStorage extends FakeStorage {
  readonly #line: LineShape;
  readonly #sending = new Set<Sending>();
  readonly #parts = new Map<string, Map<number, StoredPart>>();
  /** What all connections share by now, as a share of what they had. */
  share = 1;
  /** Tries that were given up. */
  stalls = 0;
  /** Nothing goes through. */
  isStanding = false;
  /** Bytes of parts that were to be taken into memory, at a time. */
  mostInMemory = 0;
  /** Parts that were not. */
  streamed = 0;
  /** Parts that were under way at a time before any was confirmed. */
  mostUnconfirmed = 0;
  #confirmed = 0;
  /** What the router has taken and the line has not. */
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
      const sending: Sending = {
        ...{
          gone: 0,
          written: 0,
          order,
          from: performance.now() + delayMs,
          movedAt: performance.now(),
        },
        onSent: options.onSent ?? (() => {}),
        fail: (code) => reject(new StorageError({ code, message: 'A test.' })),
        arrive: () => {
          const etag = createHash('md5').update(`${key} ${number}`).digest('hex');
          if (uploadId !== null) this.#parts.get(uploadId)?.set(number, { number, size, etag });
          setTimeout(() => {
            this.#confirmed += 1;
            resolve({ number, size, etag, isMd5: true });
          }, delayMs);
        },
      };
      this.#sending.add(sending);
      if (order.streamed) this.streamed += 1;
      if (this.#confirmed === 0) this.mostUnconfirmed = Math.max(this.mostUnconfirmed, this.#sending.size);
      const inMemory = [...this.#sending].reduce(
        (sum, one) => sum + (one.order.streamed ? 0 : one.order.length),
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

  /** Cuts the connection of one part that is under way. */
  reset(): void {
    const [sending] = this.#sending;
    if (!sending) return;
    this.#sending.delete(sending);
    sending.fail('ECONNRESET');
  }

  /** `stepMs` go by. */
  step(): void {
    const { buffers, delayMs, window = Number.POSITIVE_INFINITY } = this.#line;
    const { stallMs = Number.POSITIVE_INFINITY } = this.#line;
    const { router = 0 } = this.#line;
    const drained = this.isStanding ? 0 : (this.#line.rate * this.share * stepMs) / 1000;
    const open = [...this.#sending].filter(({ from }) => from <= performance.now());
    const room = router - this.#queued + drained;
    this.#queued = Math.max(0, this.#queued - drained);
    for (const sending of open) {
      const { length } = sending.order;
      const gone = Math.min(room / open.length, (window * stepMs) / (2 * delayMs), length - sending.gone);
      sending.gone += gone;
      if (router > 0) this.#queued += gone;
      const written = Math.min(length, sending.gone + buffers);
      if (written > sending.written) {
        sending.onSent(written - sending.written);
        sending.movedAt = performance.now();
      }
      sending.written = written;
      const stalls = performance.now() - sending.movedAt > stallMs;
      if (sending.gone < length && !stalls) continue;
      this.#sending.delete(sending);
      if (stalls) this.stalls += 1;
      if (stalls) sending.fail('Stalled');
      else sending.arrive();
    }
  }
}
