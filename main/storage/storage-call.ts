import type { IncomingHttpHeaders } from 'node:http';

/** Any request to storage but one that carries a part. */
export interface StorageCall {
  readonly method: string;
  /** Below the bucket, percent-encoded. */
  readonly path: string;
  /** Sorted by name and percent-encoded, without its `?`; empty for none. */
  readonly query: string;
  /** XML; null for none. */
  readonly body: string | null;
  /** How long its answer may give no byte once it has left whole, ms. Null: as long as any other. */
  readonly answerMs: number | null;
}

/** What came back, whatever its status says. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
