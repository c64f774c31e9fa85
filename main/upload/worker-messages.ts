import type { UploadLocation } from '../service/model.ts';
import type { PartOrder, PartReceipt } from './storage.ts';
import type { StorageFault } from './storage-error.ts';

/** What the main thread and the upload workers say to each other. Both send in batches: a message costs as much as a small file. */

/** Given to a worker at its start. */
export interface WorkerSetup {
  readonly location: UploadLocation;
  readonly stallMs: number;
  /** Certificate authorities to trust besides Node's own and the system's, PEM. */
  readonly ca: readonly string[];
  /** See `throttle.ts`. */
  readonly tokens: SharedArrayBuffer;
}

/** Numbers are the main thread's; every order is answered by exactly one result, a dropped one too. */
export type ToWorker =
  | {
      readonly kind: 'send';
      readonly orders: readonly { readonly id: number; readonly order: PartOrder }[];
    }
  | { readonly kind: 'drop'; readonly ids: readonly number[] };

export type PartOutcome =
  | { readonly kind: 'done'; readonly receipt: PartReceipt }
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
      readonly outcomes: readonly { readonly id: number; readonly outcome: PartOutcome }[];
    };
