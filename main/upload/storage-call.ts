import type { IncomingHttpHeaders } from 'node:http';

/** Any request to storage but one that carries a part. */
export interface StorageCall {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  /** Below the upload location's prefix. */
  readonly key: string;
  /** Sorted by name, not encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** XML; null for none. */
  readonly body: string | null;
}

/** What came back, whatever its status says. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
