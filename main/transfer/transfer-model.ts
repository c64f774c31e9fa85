import type { FileIdentity } from '../files/file-identity.ts';
import type { SourceFile } from '../files/model.ts';
import type { BegunUpload, StoredPart, UploadChecksum } from '../storage/storage.ts';
import type { FilePlan } from './plan.ts';

/** A file that storage lacks in whole or part, and its confirmed parts. */
export interface TransferFile extends SourceFile {
  /** The record's id. */
  readonly id: number;
  readonly plan: FilePlan;
  /** The multipart upload, if begun. */
  readonly uploadId: string | null;
  readonly uploadChecksum: UploadChecksum;
  /** Confirmed parts in the record. */
  readonly parts: readonly StoredPart[];
  /** A completion request was sent; its outcome may be unknown. */
  readonly completeSent: boolean;
}

/** The checksum by which storage compared every byte. */
export type ComparedBy = 'crc32' | 'md5';

/** Why confirmed bytes are sent again. */
type ResendReason = 'upload-gone' | 'parts-refused' | 'parts-missing';

/** Persists a transfer's state before it counts. */
export interface TransferRecord {
  /** Returns once the upload id is persisted, before the first part. */
  uploadBegun(fileId: number, upload: BegunUpload): void;
  /** Resolves once the part is persisted. */
  partConfirmed(fileId: number, part: StoredPart): Promise<void>;
  /** Call before the request, whose response may get lost; returns once persisted. */
  completeSent(fileId: number): void;
  /**
   * Resolves once it is persisted that storage has the file. `etag`: bare, null if unknown or not an MD5.
   * `comparedBy`: null if it differs between parts.
   */
  fileConfirmed(fileId: number, etag: string | null, comparedBy: ComparedBy | null): Promise<void>;
  /** Storage lacks these parts after all. */
  partsDropped(fileId: number, numbers: readonly number[]): void;
  /**
   * The upload restarts with nothing confirmed. Storage may still hold the old one, so an abort is pending.
   */
  uploadForgotten(fileId: number): void;
  /** Updates the identity of a replaced file with verified content. */
  identityTaken(fileId: number, identity: FileIdentity): void;
  /** For the user: part of this file is sent again. */
  resent(path: string, reason: ResendReason): void;
}
