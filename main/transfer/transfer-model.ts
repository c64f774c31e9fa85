import type { FileIdentity } from '../files/file-identity.ts';
import type { SourceFile } from '../files/model.ts';
import type { BegunUpload, StoredPart, UploadChecksum } from '../storage/storage.ts';
import type { FilePlan } from './plan.ts';

/** A file that storage does not have whole yet, with what is already confirmed of it. */
export interface TransferFile extends SourceFile {
  /** The record's name for it. */
  readonly id: number;
  readonly plan: FilePlan;
  /** Of the multipart upload that was begun for it. */
  readonly uploadId: string | null;
  readonly uploadChecksum: UploadChecksum;
  /** Parts that storage confirmed, as the record holds them. */
  readonly parts: readonly StoredPart[];
  /** The request to complete that upload has been sent, with whatever outcome. */
  readonly completeSent: boolean;
}

/** The checksum of each byte of a file that storage has compared with the bytes that arrived. */
export type ComparedBy = 'crc32' | 'md5';

/** Why something that was confirmed has to be sent again. */
type ResendReason = 'upload-gone' | 'parts-refused' | 'parts-missing';

/** Where a transfer writes down what is true, before it counts on it. */
export interface TransferRecord {
  /** Returns once the upload id is safe: it comes before the first part. */
  uploadBegun(fileId: number, upload: BegunUpload): void;
  /** Resolves once the part is safe: only then does it count. */
  partConfirmed(fileId: number, part: StoredPart): Promise<void>;
  /** Returns once the upcoming completion is recorded: before the request, whose answer may get lost. */
  completeSent(fileId: number): void;
  /**
   * Resolves once it is safe that storage has the whole file. `etag`: its own, bare; null where it is not
   * known, or is no MD5 of the bytes. `comparedBy`: the checksum that storage has compared; null where it is
   * not the same one for every byte.
   */
  fileConfirmed(fileId: number, etag: string | null, comparedBy: ComparedBy | null): Promise<void>;
  /** Storage does not have these parts after all. */
  partsDropped(fileId: number, numbers: readonly number[]): void;
  /**
   * The upload can't continue: it begins again with nothing confirmed. Storage may still hold it, parts and
   * all: to abort it is owed from now on.
   */
  uploadForgotten(fileId: number): void;
  /**
   * The file is there as another one, or changed, and was found to hold the same: from now on it is known as
   * this.
   */
  identityTaken(fileId: number, identity: FileIdentity): void;
  /** For people: something of this file is sent again. */
  resent(path: string, reason: ResendReason): void;
}
