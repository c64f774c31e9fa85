import { z } from 'zod';
import type { ErrorCode, RemoteWords } from '../errors.ts';
import { TileliftError } from '../errors.ts';
import { redactedMark, redactedStart } from '../redact.ts';
import type { Answer } from './answer.ts';
import { parseJson } from './answer.ts';
import { meaningOf, meaningOfUnread, type ServiceRequest } from './answer-meaning.ts';

interface RequestSubject {
  /** Origin of the service. */
  readonly origin: string;
  readonly request: ServiceRequest;
  readonly assetId?: number;
}

/** Contract part 7, and RFC 6749 5.2 on the OAuth endpoints. */
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
/** Responses may echo secrets. Short values occur in ordinary text. */
export function withoutSecrets(answer: Answer, secrets: readonly string[]): Answer {
  const longSecrets = secrets.filter((secret) => secret.length >= shortestSecret);
  const text = longSecrets.reduce((excerpt, secret) => excerpt.replaceAll(secret, redactedMark), answer.text);
  return { ...answer, text };
}

/** Redacted; without a known body its first 200 characters. */
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

/** Null for a success. Error bodies count even with status 2xx. */
export function errorFromAnswer(answer: Answer, subject: RequestSubject): TileliftError | null {
  const code = meaningOf(answer, subject.request);
  if (!code) return null;
  const place = code === 'asset-not-found' ? String(subject.assetId) : subject.origin;
  return new TileliftError(code, { subject: place, remote: remoteWords(answer) });
}

/** A success without the expected content. */
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
/** A proxy or rate limit rejected the request before processing (RFC 9110 15.5.8, RFC 6585 4). */
const rejectedEarly: readonly unknown[] = [407, 429];

/** Before the first byte is sent: codes of Node and Chromium. */
const connectErrors =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_CONNECTION_REFUSED|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE|ERR_PROXY_CONNECTION_FAILED/;

/**
 * True for a timeout, reset, 5xx, or an unknown response; false if refused, rejected early or never sent.
 * Decides whether creating an asset may be repeated at once.
 */
export function mayHaveArrived(error: unknown): boolean {
  if (!(error instanceof TileliftError)) return true;
  if (!ambiguousCodes.has(error.code) || rejectedEarly.includes(error.remote?.status)) return false;
  return !(error.code === 'service-unreachable' && wasNeverSent(error.cause));
}

function wasNeverSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause ? String(cause.code) : '';
  return connectErrors.test(`${code} ${cause.message}`) || wasNeverSent(cause.cause);
}
