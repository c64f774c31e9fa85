import type { FileIdentity } from '../files/file-identity.ts';
import type { UploadLocation } from '../service/model.ts';
import type { StorageCall } from '../storage/control-requests.ts';
import type { PartOrder, SentPart } from '../storage/storage.ts';
import type { CallAnswer } from '../storage/storage-answer.ts';
import type { StorageFault } from '../storage/storage-error.ts';

/** Messages between main thread and upload workers, batched because one costs as much as a small file. */

export const sourceTroubles = ['source-changed', 'source-unreadable', 'source-stalled'] as const;
type SourceTrouble = (typeof sourceTroubles)[number];

/** Sent at the start of each upload. */
export interface WorkerSetup {
  readonly location: UploadLocation;
  readonly stallMs: number;
  readonly readStallMs: number;
  /** Replaces Node's authorities (PEM); null keeps them. */
  readonly ca: readonly string[] | null;
  readonly facts: SharedArrayBuffer;
  readonly tokens: SharedArrayBuffer;
  /** See `pool-reads.ts`. */
  readonly poolReads: SharedArrayBuffer;
  readonly threadReads: SharedArrayBuffer;
}

/** The input and answer of each kind of task. */
export interface WorkerTasks {
  readonly part: { readonly input: PartOrder; readonly answer: SentPart };
  /** MD5 in hex; sends nothing. */
  readonly hash: { readonly input: PartOrder; readonly answer: string };
  readonly call: { readonly input: StorageCall; readonly answer: CallAnswer };
}

/** A task and the proxy that its request takes. */
export interface WorkerTask<Kind extends keyof WorkerTasks> {
  readonly kind: Kind;
  readonly input: WorkerTasks[Kind]['input'];
  readonly proxy: string | null;
}

/** Every order has exactly one outcome, even if dropped. */
export type WorkerOrder<Kind extends keyof WorkerTasks = keyof WorkerTasks> = {
  readonly [K in Kind]: WorkerTask<K> & { readonly id: number };
}[Kind];

/** Messages to a worker. */
export type ToWorker =
  /** Messages until `rest` belong to this upload. */
  | { readonly kind: 'serve'; readonly setup: WorkerSetup }
  /** The upload is over: release connections and credentials. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'work'; readonly orders: readonly WorkerOrder[] }
  | { readonly kind: 'drop'; readonly ids: readonly number[] }
  | { readonly kind: 'renew' };

/** How an order ended. */
export type WorkerOutcome =
  | { readonly kind: 'answer'; readonly answer: WorkerTasks[keyof WorkerTasks]['answer'] }
  | { readonly kind: 'replaced'; readonly identity: FileIdentity }
  | { readonly kind: 'fault'; readonly fault: StorageFault }
  | { readonly kind: 'source'; readonly code: SourceTrouble; readonly cause: string }
  | { readonly kind: 'dropped' };

/** Messages from a worker. */
export type FromWorker =
  /** Earlier messages belong to another upload. */
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'news';
      readonly sentBytes: readonly (readonly [id: number, bytes: number])[];
      readonly outcomes: readonly (WorkerOutcome & { readonly id: number })[];
    };
