import type { UploadLocation } from '../service/model.ts';
import type { FileIdentity } from '../source/file-identity.ts';
import type { PartOrder, PartReceipt } from '../storage/storage.ts';
import type { CallAnswer, StorageCall } from '../storage/storage-call.ts';
import type { StorageFault } from '../storage/storage-error.ts';

/** What the main thread and the upload workers say to each other. Both send in batches: a message costs as much as a small file. */

/** What can be wrong with a source file. */
export const sourceTroubles = ['source-changed', 'source-unreadable', 'source-stalled'] as const;
export type SourceTrouble = (typeof sourceTroubles)[number];

/** Given to a worker at the beginning of each upload. */
export interface WorkerSetup {
  readonly location: UploadLocation;
  readonly stallMs: number;
  /** A drive that moves no byte for this long is given up, ms. */
  readonly readStallMs: number;
  /** Certificate authorities to trust in place of Node's own, PEM; null leaves these. */
  readonly ca: readonly string[] | null;
  /** See `StorageFacts`. */
  readonly facts: SharedArrayBuffer;
  /** See `throttle.ts`. */
  readonly tokens: SharedArrayBuffer;
  /** See `pool-reads.ts`: the process's and the thread's own. */
  readonly poolReads: SharedArrayBuffer;
  readonly threadReads: SharedArrayBuffer;
}

/** A part to send, or any other request to make. */
export type WorkerOrder = (
  | { readonly kind: 'part'; readonly part: PartOrder }
  /** Read and hash it, and send nothing. */
  | { readonly kind: 'hash'; readonly part: PartOrder }
  | { readonly kind: 'call'; readonly call: StorageCall }
) & {
  /** See `LineRequest`. */
  readonly proxy: string | null;
};

/** Numbers are the main thread's; every order has exactly one outcome, a dropped one too. */
export type ToWorker =
  /** Begins an upload: everything until `rest` is for it. */
  | { readonly kind: 'serve'; readonly setup: WorkerSetup }
  /** The upload is over, and every order has had its outcome: its connections and credentials are let go. */
  | { readonly kind: 'rest' }
  | {
      readonly kind: 'work';
      readonly orders: readonly { readonly id: number; readonly order: WorkerOrder }[];
    }
  | { readonly kind: 'drop'; readonly ids: readonly number[] }
  /** End the connections that nothing uses just now. */
  | { readonly kind: 'renew' };

export type WorkerOutcome =
  | { readonly kind: 'sent'; readonly receipt: PartReceipt }
  | { readonly kind: 'hashed' /** Hex. */; readonly md5: string }
  | { readonly kind: 'answer'; readonly answer: CallAnswer }
  /** See `SourceReplaced`. */
  | { readonly kind: 'replaced'; readonly found: FileIdentity }
  | { readonly kind: 'fault'; readonly fault: StorageFault }
  | {
      readonly kind: 'source';
      readonly code: SourceTrouble;
      /** For the log. */
      readonly cause: string;
    }
  | { readonly kind: 'dropped' };

export type FromWorker =
  /** Answers `serve`: nothing that comes before belongs to this upload. */
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'news';
      /** Further bytes that left, of parts still under way. */
      readonly sent: readonly (readonly [id: number, bytes: number])[];
      readonly outcomes: readonly { readonly id: number; readonly outcome: WorkerOutcome }[];
    };
