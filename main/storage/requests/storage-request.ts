import type { SecureContext } from 'node:tls';
import type { StorageCall } from '../control-requests.ts';
import type { Signer } from '../sigv4.ts';
import type { StorageAddress } from '../storage-address.ts';
import type { CallAnswer } from '../storage-answer.ts';
import type { TokenTaker } from '../throttle.ts';
import type { StreamedBody } from './request-body.ts';

/** A body up to this size is gone before it is worth telling how far it is. */
export const smallBody = 65_536;
/** What a kept connection says when the other side had closed it before our request came. */
export const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
/** Bytes of an answer; the longest is a page of ListParts, some hundred KiB. */
export const maxAnswer = 4_194_304;
/** Bytes of an answer's headers, for both clients. Some gateways add more than Node's default of 16 KiB. */
export const maxHeaders = 131_072;

/** Undici's parser refused an answer that Node's client may understand. */
export class RejectedAnswer extends Error {}

export interface ConnectionOptions {
  readonly address: StorageAddress;
  readonly signer: Signer;
  /**
   * Trusted authorities, loaded once for all connections: a few hundred take time. Undefined for plain HTTP.
   */
  readonly secureContext: SecureContext | undefined;
  readonly tokens: TokenTaker;
  /** A request that moves no byte for this long is dropped. */
  readonly stallMs: number;
  /** Storage's time as far as it is known, ms since the epoch. */
  readonly now: () => number;
  /** A connection was made, see `onRoundTrip`. */
  readonly onRoundTrip: (ms: number) => void;
}

/** A request on its way: a part, or any other. */
export interface StorageRequest extends Omit<StorageCall, 'body'> {
  /** Null for none. */
  readonly body: Buffer | StreamedBody | null;
  /** The way, a URL with the user's name and password where it wants them; null for straight. */
  readonly proxy: string | null;
  /** Further bytes were handed to the connection. */
  readonly onSent: (bytes: number) => void;
}

/** A request under way. */
export interface Flight {
  readonly answer: Promise<CallAnswer>;
  /** Ends it with that error, at once. */
  drop(error: Error): void;
}

/** One that is given up when it stands still. */
export interface WatchedFlight extends Flight {
  /** `now`: ms, as of `performance.now`. */
  dropIfStalled(now: number): void;
}
