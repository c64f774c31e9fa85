/** What came back for one request, read whole. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** From `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;
  /** How far the remote clock was ahead of ours, by the `Date` header; absent without one. */
  readonly clockAheadMs?: number;
  /** `Link`, as it was sent; absent without one. */
  readonly link?: string;
}

/** Undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Levels of nesting that any part of an answer may have: real ones have three or four. */
const maxNesting = 32;

/** Whether a JSON value is nested so deeply that writing it again could overflow the stack. Pure. */
export function isTooDeep(value: unknown, levels = maxNesting): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1));
}

/**
 * `Retry-After` (RFC 9110 10.2.3), seconds or a date, as ms from `now`; null when absent or invalid. Pure.
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | null {
  if (header === null || header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
