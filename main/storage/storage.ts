import type { FileIdentity } from '../files/file-identity.ts';

/** What the upload engine needs of S3-compatible storage. Keys: relative to the upload location's prefix. */

export interface StoredPart {
  /** From 1. */
  readonly number: number;
  readonly size: number;
  /** Bare, without quotes. */
  readonly etag: string;
  /** That storage has compared with the bytes; absent where it has compared their MD5 alone. */
  readonly crc32?: number;
}

/** What an upload was declared to carry: a CRC32 with each part, and one of the whole; null: neither. */
export type UploadChecksum = 'parts' | 'whole' | null;

/** A multipart upload. */
export interface BegunUpload {
  readonly uploadId: string;
  readonly checksum: UploadChecksum;
}

/** A multipart object as storage confirms it. */
export interface CompletedObject {
  /** Bare, without quotes; null where storage gave none. */
  readonly etag: string | null;
  /**
   * The ETag does not follow AWS's formula, for the first time with this storage. Every part was compared, so
   * that proves nothing, but the size is worth a look.
   */
  readonly isUnexpected: boolean;
}

/** What storage says of an object that it has whole. */
interface StoredObject {
  /** Bare, without quotes; null where storage gave none. */
  readonly etag: string | null;
  /** A differing multipart ETag shows another object: this storage's follow AWS's formula. */
  readonly comparable: boolean;
  readonly size: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** `sendPart`: called now and then with the number of further bytes that were handed to the connection. */
  readonly onSent?: (bytes: number) => void;
}

interface HeadOptions extends RequestOptions {
  /**
   * The ETag that the object must have, bare, and its size: they prove an answer that storage has not marked
   * as its own.
   */
  readonly ours?: string | null;
  readonly size?: number;
}

/** One part of a source file, or a small file whole, as it is ordered and as it goes to a worker thread. */
export interface PartOrder {
  /** The source file as it was at the scan: it is sent like that or not at all. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly identity?: FileIdentity;
  /** Of a file that exists in the upload alone: it is sent in the place of what lies at the path. */
  readonly content?: string;
  readonly key: string;
  /** Null: the file goes whole, in one request. */
  readonly uploadId: string | null;
  /** From 1, as S3 counts. */
  readonly number: number;
  readonly offset: number;
  readonly length: number;
  /** A CRC32 may come with it: the file goes whole, or its upload was declared to carry them. */
  readonly mayCarryCrc32: boolean;
  /** It is not taken into memory, but read twice: for its checksums, and while it is sent. */
  readonly streamed?: boolean;
  /** What storage has of this part without a record: not sent when the bytes are the same. */
  readonly adoptable: AdoptablePart | null;
}

/** The checksums that storage gives of a part, computed from the bytes that it has. */
export interface AdoptablePart {
  /** Hex, in lower case. */
  readonly md5: string;
  readonly crc32?: number;
}

/** A part, or a small file whole, as storage confirmed it. */
export interface SentPart extends StoredPart {
  /**
   * The ETag is the MD5 of the bytes. Stores that encrypt with keys of their own (SSE-KMS, SSE-C) give others
   * of the same shape (Amazon S3, API reference of "Object").
   */
  readonly isMd5: boolean;
}

/**
 * Every call sends one request (`listParts`: one per page) and throws `StorageError` or the signal's reason.
 */
export interface Storage {
  /** For error messages: what a person would call this storage. */
  readonly name: string;
  /** There and back, ms, as the quickest connection so far has shown. Null: none has. */
  roundTripMs(): number | null;
  /** Storage's clock less ours, ms, as far as a refusal has shown. */
  skewMs(): number;
  /** Declared to carry CRC32s, unless this storage is known to make nothing of them. */
  createMultipartUpload(key: string, options?: RequestOptions): Promise<BegunUpload>;
  /**
   * Reads, hashes and sends a part: one try. Resolves when storage confirmed these very bytes; throws
   * `source-changed`, `source-unreadable`, `source-stalled` or `SourceReplaced` besides.
   */
  sendPart(order: PartOrder, options?: RequestOptions): Promise<SentPart>;
  /** MD5 (hex) of a part as it is on disk; sends nothing. Throws what `sendPart` throws about the source. */
  hashPart(order: PartOrder, options?: RequestOptions): Promise<string>;
  /** All pages. */
  listParts(key: string, uploadId: string, options?: RequestOptions): Promise<readonly StoredPart[]>;
  /**
   * An error inside an answer of 200 is thrown like any other. Where all parts have their CRC32, that of the
   * whole is compared, too.
   */
  completeMultipartUpload(
    key: string,
    upload: BegunUpload,
    parts: readonly StoredPart[],
    options?: RequestOptions,
  ): Promise<CompletedObject>;
  abortMultipartUpload(key: string, uploadId: string, options?: RequestOptions): Promise<void>;
  headObject(key: string, options?: HeadOptions): Promise<StoredObject>;
  /** Ends unused connections: after sleep, or on another network, they lead nowhere. */
  renewConnections(): void;
  /** Ends all connections and whatever works for this storage. */
  close(): void;
}

/** The storage clients that are open now, to be told what concerns all connections. */
export class OpenStores {
  readonly #open = new Set<Storage>();

  /** The same storage, known here until it is closed. */
  keep(storage: Storage): Storage {
    this.#open.add(storage);
    return {
      ...storage,
      close: () => {
        this.#open.delete(storage);
        storage.close();
      },
    };
  }

  /** After sleep, or in another network. */
  renewConnections(): void {
    for (const storage of this.#open) storage.renewConnections();
  }
}
