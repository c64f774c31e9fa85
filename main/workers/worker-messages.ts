import type { FileIdentity } from '../files/file-identity.ts';
import type { UploadLocation } from '../service/model.ts';
import type { StorageCall } from '../storage/control-requests.ts';
import type { PartOrder, SentPart } from '../storage/storage.ts';
import type { CallAnswer } from '../storage/storage-answer.ts';
import type { StorageFault } from '../storage/storage-error.ts';

/**
 * What the main thread and upload workers tell each other, in batches: a message costs as much as a small
 * file.
 */

/** What can be wrong with a source file. */
export const sourceTroubles = ['source-changed', 'source-unreadable', 'source-stalled'] as const;
type SourceTrouble = (typeof sourceTroubles)[number];

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

/** What a worker is asked for, by kind, and what it answers. */
export interface WorkerTasks {
  /** Read, hash and send it. */
  readonly part: { readonly what: PartOrder; readonly answer: SentPart };
  /** Read and hash it, and send nothing: the MD5, hex. */
  readonly hash: { readonly what: PartOrder; readonly answer: string };
  /** Any request but a part's. */
  readonly call: { readonly what: StorageCall; readonly answer: CallAnswer };
}

export interface WorkerTask<Kind extends keyof WorkerTasks> {
  readonly kind: Kind;
  readonly what: WorkerTasks[Kind]['what'];
  /** See `StorageRequest`; null also for what sends nothing. */
  readonly proxy: string | null;
}

/** Numbers are the main thread's; every order has exactly one outcome, a dropped one too. */
export type WorkerOrder<Kind extends keyof WorkerTasks = keyof WorkerTasks> = {
  readonly [K in Kind]: WorkerTask<K> & { readonly id: number };
}[Kind];

export type ToWorker =
  /** Begins an upload: everything until `rest` is for it. */
  | { readonly kind: 'serve'; readonly setup: WorkerSetup }
  /** The upload is over, and every order has had its outcome: its connections and credentials are let go. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'work'; readonly orders: readonly WorkerOrder[] }
  | { readonly kind: 'drop'; readonly ids: readonly number[] }
  /** End the connections that nothing uses just now. */
  | { readonly kind: 'renew' };

export type WorkerOutcome =
  | { readonly kind: 'answer'; readonly answer: WorkerTasks[keyof WorkerTasks]['answer'] }
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
      readonly outcomes: readonly (WorkerOutcome & { readonly id: number })[];
    };
