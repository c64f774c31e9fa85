/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** From `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;
  /** The remote clock minus ours, from the `Date` header. */
  readonly clockAheadMs?: number;
  /** The `Link` header. */
  readonly link?: string;
}

/** Undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nesting limit for any part of a response; the service's have three or four levels. */
const maxNesting = 32;

/** True if serializing the value could overflow the stack. */
export function isTooDeep(value: unknown, levels = maxNesting): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1));
}

/** Converts `Retry-After` (RFC 9110 10.2.3), seconds or a date, to ms from now; null if absent or invalid. */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | null {
  if (header === null || header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const retryAt = Date.parse(header);
  return Number.isNaN(retryAt) ? null : Math.max(0, retryAt - nowMs);
}
