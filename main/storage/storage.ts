import type { FileIdentity } from '../files/file-identity.ts';

/** Keys are relative to the upload location's prefix. */

export interface StoredPart {
  /** 1-based. */
  readonly number: number;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** Absent if storage only compared the MD5. */
  readonly crc32?: number;
}

/** CRC32s declared for the upload: per part, also of the whole, or none. */
export type UploadChecksum = 'parts' | 'whole' | null;

/** A multipart upload. */
export interface BegunUpload {
  readonly uploadId: string;
  readonly checksum: UploadChecksum;
}

/** A multipart object that storage confirmed. */
export interface CompletedObject {
  /** Without quotes. */
  readonly etag: string | null;
  /**
   * The first ETag of this storage that doesn't follow AWS's formula. All parts were compared, so only the
   * size needs a check.
   */
  readonly isUnexpected: boolean;
}

interface StoredObject {
  /** Without quotes. */
  readonly etag: string | null;
  /** A different multipart ETag means a different object. */
  readonly isComparable: boolean;
  readonly size: number;
}

/** Options of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** `sendPart`: further bytes handed to the connection. */
  readonly onSent?: (bytes: number) => void;
}

interface HeadOptions extends RequestOptions {
  /** Expected ETag and size, which prove a response without S3's headers. */
  readonly expectedEtag?: string | null;
  readonly size?: number;
}

/** A part, or a small file whole, as ordered from a worker thread. */
export interface PartOrder {
  /** The file as scanned. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly identity?: FileIdentity;
  /** Content sent instead of the file's, for files that only exist in the upload. */
  readonly content?: string;
  readonly key: string;
  /** Null: the whole file in a single request. */
  readonly uploadId: string | null;
  /** 1-based, as in S3. */
  readonly number: number;
  readonly offset: number;
  readonly length: number;
  /** The upload was declared to carry CRC32s, or the file goes in a single request. */
  readonly mayCarryCrc32: boolean;
  /** Read twice instead of buffered. */
  readonly isStreamed?: boolean;
  /** An unrecorded part in storage; isn't sent again if the bytes match. */
  readonly adoptable: AdoptablePart | null;
}

/** Storage's checksums of a part, from the bytes that it has. */
export interface AdoptablePart {
  /** Lower-case hex. */
  readonly md5: string;
  readonly crc32?: number;
}

/** A part, or a small file whole, that storage confirmed. */
export interface SentPart extends StoredPart {
  /** With SSE-KMS and SSE-C an ETag only looks like one (Amazon S3, API reference of "Object"). */
  readonly isMd5: boolean;
}

/**
 * Each call sends one request (`listParts`: one per page) and throws `StorageError` or the signal's reason.
 */
export interface Storage {
  readonly name: string;
  /** The fastest connection's time, ms. */
  roundTripMs(): number | null;
  /** Storage's clock minus ours, ms. */
  skewMs(): number;
  /** Declares CRC32s unless this storage ignores them. */
  createMultipartUpload(key: string, options?: RequestOptions): Promise<BegunUpload>;
  /**
   * Reads, hashes and sends a part in one try. Resolves when storage confirmed the bytes; also throws
   * `source-changed`, `source-unreadable`, `source-stalled` or `SourceReplaced`.
   */
  sendPart(order: PartOrder, options?: RequestOptions): Promise<SentPart>;
  /** MD5 (hex) of a part on disk. Throws like `sendPart`. */
  hashPart(order: PartOrder, options?: RequestOptions): Promise<string>;
  listParts(key: string, uploadId: string, options?: RequestOptions): Promise<readonly StoredPart[]>;
  /** Also throws errors inside a 200 response. If all parts have CRC32s, the whole's is compared too. */
  completeMultipartUpload(
    key: string,
    upload: BegunUpload,
    parts: readonly StoredPart[],
    options?: RequestOptions,
  ): Promise<CompletedObject>;
  abortMultipartUpload(key: string, uploadId: string, options?: RequestOptions): Promise<void>;
  headObject(key: string, options?: HeadOptions): Promise<StoredObject>;
  /** Call after sleep or a network change. */
  renewConnections(): void;
  close(): void;
}

/** The open storage clients, for events that concern all connections. */
export class OpenStores {
  readonly #stores = new Set<Storage>();

  rememberStorage(storage: Storage): Storage {
    this.#stores.add(storage);
    return {
      ...storage,
      close: () => {
        this.#stores.delete(storage);
        storage.close();
      },
    };
  }

  renewConnections(): void {
    for (const storage of this.#stores) storage.renewConnections();
  }
}
