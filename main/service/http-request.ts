import { TileliftError } from '../errors.ts';
import type { Clock, Fetch } from '../ports.ts';
import type { Answer } from './answer.ts';
import { parseRetryAfter } from './answer.ts';
import { connectionFailure } from './connection-failure.ts';

/** Limits the time from the first byte of the request to the last of the response. */
export const requestTimeoutMs = 30_000;
/** Only the response has the credentials: a timeout would leave an asset behind. */
export const createTimeoutMs = 5 * 60_000;
/** Larger responses don't come from the service. */
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
 * Returns any status, and redirects unfollowed: other addresses must not receive the content. Replaces a text
 * that is too large.
 * @throws TileliftError `service-unreachable`, `certificate-untrusted`, `proxy-unreachable`,
 *   `proxy-authentication`, or the signal's reason
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
    // Stops both and ignores their rejections.
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

function clockAhead(date: string | null, nowMs: number): { clockAheadMs?: number } {
  const remoteMs = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(remoteMs) ? {} : { clockAheadMs: remoteMs - nowMs };
}

/** Null if the body exceeds the limit. */
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
