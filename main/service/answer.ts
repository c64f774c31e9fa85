/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** From `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;
  /** The `Date` header minus our clock. */
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

/** The service's responses have three or four levels. */
const maxNesting = 32;

/** Serializing it could overflow the stack. */
export function isTooDeep(value: unknown, levels = maxNesting): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1));
}

/** RFC 9110 10.2.3, seconds or a date; ms from now. Null if invalid. */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | null {
  if (header === null || header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const retryAt = Date.parse(header);
  return Number.isNaN(retryAt) ? null : Math.max(0, retryAt - nowMs);
}
