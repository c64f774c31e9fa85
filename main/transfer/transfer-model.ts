import type { FileIdentity } from '../files/file-identity.ts';
import type { SourceFile } from '../files/model.ts';
import type { BegunUpload, StoredPart, UploadChecksum } from '../storage/storage.ts';
import type { FilePlan } from './plan.ts';

/** An incomplete file and its confirmed parts. */
export interface TransferFile extends SourceFile {
  readonly id: number;
  readonly plan: FilePlan;
  readonly uploadId: string | null;
  readonly uploadChecksum: UploadChecksum;
  readonly parts: readonly StoredPart[];
  /** A completion request was sent; its outcome may be unknown. */
  readonly completeSent: boolean;
}

/** The checksum by which storage compared every byte. */
export type ComparedBy = 'crc32' | 'md5';

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
  partsDropped(fileId: number, numbers: readonly number[]): void;
  /** Storage may still hold the upload, so an abort is pending. */
  uploadForgotten(fileId: number): void;
  identityTaken(fileId: number, identity: FileIdentity): void;
  noteResent(path: string, reason: ResendReason): void;
}
