import { z } from 'zod';
import type { ErrorCode, RemoteWords } from '../errors.ts';
import { TileliftError } from '../errors.ts';
import { redacted, redactedStart } from '../redact.ts';
import type { Answer } from './answer.ts';
import { parseJson } from './answer.ts';
import { meaningOf, meaningOfUnread, type ServiceRequest } from './answer-meaning.ts';

/** What a request was about, to choose between errors and to name their subject. */
interface RequestSubject {
  /** Origin of the service. */
  readonly origin: string;
  readonly request: ServiceRequest;
  /** Set when the request names one asset. */
  readonly assetId?: number;
}

/** Error bodies: contract part 7 (`code`, `message`) and, on the OAuth endpoints, RFC 6749 5.2. */
const errorBody = z.union([
  z
    .looseObject({ code: z.string().min(1), message: z.string().optional() })
    .transform(({ code, message }) => ({ code, message })),
  z
    .looseObject({ error: z.string().min(1), error_description: z.string().optional() })
    .transform(({ error, error_description }) => ({ code: error, message: error_description })),
]);

const excerptLength = 200;
const shortestSecret = 8;
/**
 * The answer for showing: what was sent as a secret is no shape that could be recognised when it comes back,
 * so it is taken out by its value. Short ones stay: they are words of tests and would tear the answer apart.
 */
export function withoutSecrets(answer: Answer, secrets: readonly string[]): Answer {
  const long = secrets.filter((secret) => secret.length >= shortestSecret);
  const text = long.reduce((rest, secret) => rest.replaceAll(secret, redacted), answer.text);
  return { ...answer, text };
}

/** What the remote side said, redacted: its code and message, else the first 200 characters of its answer. */
export function remoteWords(answer: Answer): RemoteWords {
  const body = errorBody.safeParse(parseJson(answer.text)).data;
  const code = body && redactedStart(body.code.trim());
  const message = body
    ? redactedStart((body.message ?? '').trim())
    : redactedStart(answer.text.trim(), excerptLength);
  return {
    status: answer.status,
    ...(code ? { code } : {}),
    ...(message ? { message } : {}),
    ...(answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs }),
  };
}

/** The error that an answer stands for, or null when it is none. A refusal counts even with a 2xx status. */
export function errorFromAnswer(answer: Answer, subject: RequestSubject): TileliftError | null {
  const code = meaningOf(answer, subject.request);
  if (!code) return null;
  const about = code === 'asset-not-found' ? String(subject.assetId) : subject.origin;
  return new TileliftError(code, { subject: about, remote: remoteWords(answer) });
}

/** For an answer of success that does not hold what it should. `origin`: who was asked. */
export function unreadAnswer(answer: Answer, origin: string, cause?: unknown): TileliftError {
  return new TileliftError(meaningOfUnread(answer), { subject: origin, remote: remoteWords(answer), cause });
}

/** The service may have done the work although the request failed. */
const ambiguousCodes: ReadonlySet<ErrorCode> = new Set([
  'service-unreachable',
  'service-unavailable',
  'unexpected-answer',
  'foreign-answer',
]);
/**
 * Statuses with which a request was turned away before anyone worked on it: by a proxy, by a limit (RFC 9110
 * 15.5.8, RFC 6585 4).
 */
const turnedAway: readonly unknown[] = [407, 429];

/** Failures that come before the first byte is sent: Node's names and Chromium's. */
const neverSent =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_CONNECTION_REFUSED|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE|ERR_PROXY_CONNECTION_FAILED/;

/**
 * True when the failed request may have arrived and been worked on: a time-out, a reset, a 5xx, an answer
 * that was not understood or not the service's (a filter may have kept back the service's own). False when it
 * was refused, turned away or never left. This is what decides whether creating an asset may be repeated at
 * once.
 */
export function mayHaveArrived(error: unknown): boolean {
  if (!(error instanceof TileliftError)) return true;
  if (!ambiguousCodes.has(error.code) || turnedAway.includes(error.remote?.status)) return false;
  return !(error.code === 'service-unreachable' && wasNeverSent(error.cause));
}

function wasNeverSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause ? String(cause.code) : '';
  return neverSent.test(`${code} ${cause.message}`) || wasNeverSent(cause.cause);
}
