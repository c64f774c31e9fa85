import type { FileIdentity } from '../files/file-identity.ts';
import type { UploadLocation } from '../service/model.ts';
import type { StorageCall } from '../storage/control-requests.ts';
import type { PartOrder, SentPart } from '../storage/storage.ts';
import type { CallAnswer } from '../storage/storage-answer.ts';
import type { StorageFault } from '../storage/storage-error.ts';

/**
 * Messages between the main thread and upload workers, batched because a message costs as much as a small
 * file.
 */

export const sourceTroubles = ['source-changed', 'source-unreadable', 'source-stalled'] as const;
type SourceTrouble = (typeof sourceTroubles)[number];

/** Sent at the start of each upload. */
export interface WorkerSetup {
  readonly location: UploadLocation;
  readonly stallMs: number;
  /** Reads without a byte for this long are abandoned, ms. */
  readonly readStallMs: number;
  /** Replaces Node's authorities (PEM); null keeps them. */
  readonly ca: readonly string[] | null;
  /** See `StorageFacts`. */
  readonly facts: SharedArrayBuffer;
  /** See `throttle.ts`. */
  readonly tokens: SharedArrayBuffer;
  /** See `pool-reads.ts`: the process's and the thread's. */
  readonly poolReads: SharedArrayBuffer;
  readonly threadReads: SharedArrayBuffer;
}

/** Inputs and answers by kind of task. */
export interface WorkerTasks {
  /** Reads, hashes and sends the part. */
  readonly part: { readonly input: PartOrder; readonly answer: SentPart };
  /** Reads and hashes the part; MD5 in hex. */
  readonly hash: { readonly input: PartOrder; readonly answer: string };
  /** Any request without part data. */
  readonly call: { readonly input: StorageCall; readonly answer: CallAnswer };
}

export interface WorkerTask<Kind extends keyof WorkerTasks> {
  readonly kind: Kind;
  readonly input: WorkerTasks[Kind]['input'];
  /** See `StorageRequest`; also null if nothing is sent. */
  readonly proxy: string | null;
}

/** Ids are the main thread's. Every order has exactly one outcome, even if dropped. */
export type WorkerOrder<Kind extends keyof WorkerTasks = keyof WorkerTasks> = {
  readonly [K in Kind]: WorkerTask<K> & { readonly id: number };
}[Kind];

export type ToWorker =
  /** Starts an upload; messages until `rest` belong to it. */
  | { readonly kind: 'serve'; readonly setup: WorkerSetup }
  /** The upload is over and all orders have outcomes: release connections and credentials. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'work'; readonly orders: readonly WorkerOrder[] }
  | { readonly kind: 'drop'; readonly ids: readonly number[] }
  /** Closes idle connections. */
  | { readonly kind: 'renew' };

export type WorkerOutcome =
  | { readonly kind: 'answer'; readonly answer: WorkerTasks[keyof WorkerTasks]['answer'] }
  /** See `SourceReplaced`. */
  | { readonly kind: 'replaced'; readonly identity: FileIdentity }
  | { readonly kind: 'fault'; readonly fault: StorageFault }
  | {
      readonly kind: 'source';
      readonly code: SourceTrouble;
      /** For the log. */
      readonly cause: string;
    }
  | { readonly kind: 'dropped' };

export type FromWorker =
  /** Answers `serve`; earlier messages belong to another upload. */
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'news';
      /** Further bytes sent, of unfinished parts. */
      readonly sent: readonly (readonly [id: number, bytes: number])[];
      readonly outcomes: readonly (WorkerOutcome & { readonly id: number })[];
    };
