import type { UploadLocation } from '../service/model.ts';
import type { PartOrder, PartReceipt } from './storage.ts';
import type { CallAnswer, StorageCall } from './storage-call.ts';
import type { StorageFault } from './storage-error.ts';

/** What the main thread and the upload workers say to each other. Both send in batches: a message costs as much as a small file. */

/** Given to a worker at its start. */
export interface WorkerSetup {
  readonly location: UploadLocation;
  readonly stallMs: number;
  /** Certificate authorities to trust in place of Node's own, PEM; null leaves these. */
  readonly ca: readonly string[] | null;
  /** See `StorageFacts`. */
  readonly facts: SharedArrayBuffer;
  /** See `throttle.ts`. */
  readonly tokens: SharedArrayBuffer;
}

/** A part to send, or any other request to make. */
export type WorkerOrder = (
  | { readonly kind: 'part'; readonly part: PartOrder }
  | { readonly kind: 'call'; readonly call: StorageCall }
) & {
  /** See `LineRequest`. */
  readonly proxy: string | null;
};

/** Numbers are the main thread's; every order has exactly one outcome, a dropped one too. */
export type ToWorker =
  | {
      readonly kind: 'work';
      readonly orders: readonly { readonly id: number; readonly order: WorkerOrder }[];
    }
  | { readonly kind: 'drop'; readonly ids: readonly number[] };

export type WorkerOutcome =
  | { readonly kind: 'sent'; readonly receipt: PartReceipt }
  | { readonly kind: 'answer'; readonly answer: CallAnswer }
  | { readonly kind: 'fault'; readonly fault: StorageFault }
  | {
      readonly kind: 'source';
      readonly code: 'source-changed' | 'source-unreadable';
      /** For the log. */
      readonly cause: string;
    }
  | { readonly kind: 'dropped' };

export type FromWorker =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'news';
      /** Further bytes that left, of parts still under way. */
      readonly sent: readonly (readonly [id: number, bytes: number])[];
      readonly outcomes: readonly { readonly id: number; readonly outcome: WorkerOutcome }[];
    };
