import { TileliftError } from '../errors.ts';
import type { Clock, Fetch } from '../outside.ts';
import type { Answer } from './answer.ts';
import { parseRetryAfter } from './answer.ts';
import { connectionFailure } from './connection-failure.ts';

/** From sending the first byte of a request to having the last one of its answer. */
export const requestTimeoutMs = 30_000;
/**
 * The same for creating an asset, which isn't idempotent: only its answer holds the credentials, so giving up
 * early gains nothing and leaves an asset behind.
 */
export const createTimeoutMs = 5 * 60_000;
/** No answer of the service comes near this; a larger one is not the service's. */
export const answerLimitBytes = 10_000_000;

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: `requestTimeoutMs`. */
  readonly timeoutMs?: number;
}

export interface Network {
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/**
 * Sends one request and reads its answer whole, whatever its status. Follows no redirect, since the next
 * address would get what was meant for this one: a redirect comes back as the answer that it is. One that is
 * too large comes back with its status and a text that says so, which no schema takes.
 *
 * @throws TileliftError `service-unreachable` when no whole answer came in time; `certificate-untrusted`,
 *   `proxy-unreachable`, `proxy-authentication` where that is why
 * @throws the signal's reason when the caller ended the request
 */
export async function sendRequest(
  network: Network,
  request: HttpRequest,
  signal?: AbortSignal,
): Promise<Answer> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const stop = AbortSignal.any(signal ? [signal, limit.signal] : [limit.signal]);
  const { timeoutMs = requestTimeoutMs } = request;
  const timeout = network.clock.sleep(timeoutMs, stop).then(() => {
    throw new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError');
  });
  try {
    return await Promise.race([exchange(network, request, stop), timeout]);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof TileliftError) throw cause;
    const code = connectionFailure(cause) ?? 'service-unreachable';
    throw new TileliftError(code, { subject: new URL(request.url).origin, cause });
  } finally {
    // Also ends the time-out and whatever of the exchange is still running; their rejections have nobody
    // to tell.
    timeout.catch(() => {});
    limit.abort();
  }
}

async function exchange(
  { fetch, clock }: Network,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const { method, url, headers, body } = request;
  const init = {
    method,
    headers,
    redirect: 'manual',
    cache: 'no-store',
    credentials: 'omit',
    signal,
  } as const;
  const response = await fetch(url, body === undefined ? init : { ...init, body });
  return {
    status: response.status,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), clock.now()),
    ...clockAhead(response.headers.get('date'), clock.now()),
    ...linkOf(response.headers.get('link')),
    text: (await readText(response)) ?? `more than ${answerLimitBytes} bytes`,
  };
}

function linkOf(link: string | null): { link?: string } {
  return link === null ? {} : { link };
}

function clockAhead(date: string | null, now: number): { clockAheadMs?: number } {
  const at = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(at) ? {} : { clockAheadMs: at - now };
}

/** Null when the body is larger than allowed; the rest of it is not read. */
async function readText(response: Response): Promise<string | null> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > answerLimitBytes) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
