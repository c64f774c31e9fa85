import type { SecureContext } from 'node:tls';
import type { StorageCall } from '../control-requests.ts';
import type { Signer } from '../sigv4.ts';
import type { StorageAddress } from '../storage-address.ts';
import type { CallAnswer } from '../storage-answer.ts';
import type { TokenTaker } from '../throttle.ts';
import type { StreamedBody } from './request-body.ts';

/** Bodies up to this size need no progress reports. */
export const smallBody = 65_536;
/** Errors of a kept connection that the server had closed. */
export const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
/** Bytes; the longest response, a ListParts page, has some hundred KiB. */
export const maxAnswer = 4_194_304;
/** Header bytes, for both clients; some gateways exceed Node's 16 KiB. */
export const maxHeaders = 131_072;

/** Undici rejected a response that Node's client may accept. */
export class RejectedAnswer extends Error {}

/** Shared by all connections to one storage. */
export interface ConnectionOptions {
  readonly address: StorageAddress;
  readonly signer: Signer;
  /** Shared, since loading takes time. */
  readonly secureContext: SecureContext | undefined;
  readonly tokens: TokenTaker;
  readonly stallMs: number;
  /** Storage's time if known, ms since the epoch. */
  readonly currentTime: () => number;
  readonly onRoundTrip: (ms: number) => void;
}

/** A part or any other request. */
export interface StorageRequest extends Omit<StorageCall, 'body'> {
  readonly body: Buffer | StreamedBody | null;
  /** URL with login; null for direct. */
  readonly proxy: string | null;
  readonly onSent: (bytes: number) => void;
}

/** The request's target and signed headers. */
export function sign(request: StorageRequest, { address, signer, currentTime }: ConnectionOptions) {
  const { method, query, headers } = request;
  const { host } = address;
  const path = address.base + request.path;
  return {
    target: query ? `${path}?${query}` : path,
    headers: { ...signer.headers({ method, host, path, query, headers, timestamp: currentTime() }), host },
  };
}

/** A request on the wire. */
export interface Flight {
  readonly answer: Promise<CallAnswer>;
  abort(error: Error): void;
}

/** A request that can stall. */
export interface WatchedFlight extends Flight {
  dropIfStalled(nowMs: number): void;
}
