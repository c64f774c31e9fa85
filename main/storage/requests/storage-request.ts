import type { SecureContext } from 'node:tls';
import type { StorageCall } from '../control-requests.ts';
import type { Signer } from '../sigv4.ts';
import type { StorageAddress } from '../storage-address.ts';
import type { CallAnswer } from '../storage-answer.ts';
import type { TokenTaker } from '../throttle.ts';
import type { StreamedBody } from './request-body.ts';

/** Bodies up to this size need no progress reports. */
export const smallBody = 65_536;
/** Errors of a kept connection that the server had already closed. */
export const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
/** Bytes; the longest response, a ListParts page, has some hundred KiB. */
export const maxAnswer = 4_194_304;
/** Header bytes, for both clients; some gateways exceed Node's 16 KiB. */
export const maxHeaders = 131_072;

/** Undici rejected a response that Node's client may accept. */
export class RejectedAnswer extends Error {}

export interface ConnectionOptions {
  readonly address: StorageAddress;
  readonly signer: Signer;
  /** Shared by all connections, since loading takes time. Undefined for plain HTTP. */
  readonly secureContext: SecureContext | undefined;
  readonly tokens: TokenTaker;
  /** Requests without movement for this long are dropped. */
  readonly stallMs: number;
  /** Storage's time if known, ms since the epoch. */
  readonly now: () => number;
  /** See `onRoundTrip`. */
  readonly onRoundTrip: (ms: number) => void;
}

export interface StorageRequest extends Omit<StorageCall, 'body'> {
  readonly body: Buffer | StreamedBody | null;
  /** Proxy URL with its login; null for direct. */
  readonly proxy: string | null;
  readonly onSent: (bytes: number) => void;
}

export interface Flight {
  readonly answer: Promise<CallAnswer>;
  drop(error: Error): void;
}

export interface WatchedFlight extends Flight {
  /** `nowMs`: as of `performance.now`. */
  dropIfStalled(nowMs: number): void;
}
