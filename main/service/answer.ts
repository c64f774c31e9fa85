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
