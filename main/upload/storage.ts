/** What the upload engine needs of S3-compatible storage. Keys are relative to the upload location's prefix. */

export interface StoredPart {
  /** From 1. */
  readonly number: number;
  readonly size: number;
  /** Bare, without quotes. */
  readonly etag: string;
}

export interface StorageAnswer {
  /** Bare, without quotes; null where storage gave none. */
  readonly etag: string | null;
  /** False where the ETag can't be an MD5 of the bytes, since storage encrypts them with keys of its own. */
  readonly comparable: boolean;
}

export interface StoredObject extends StorageAnswer {
  readonly size: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Called with the number of further bytes of the body that were handed to the connection. */
  readonly onSent?: (bytes: number) => void;
}

export interface Body {
  readonly bytes: Uint8Array;
  /** MD5 of the bytes, base64, for `Content-MD5`. */
  readonly md5: string;
}

/** Every call sends one request (`listParts` one for each page) and throws `StorageError` or the signal's reason. */
export interface Storage {
  /** For error messages: what a person would call this storage. */
  readonly name: string;
  putObject(key: string, body: Body, options?: RequestOptions): Promise<StorageAnswer>;
  /** Gives the upload id. */
  createMultipartUpload(key: string, options?: RequestOptions): Promise<string>;
  uploadPart(
    key: string,
    uploadId: string,
    number: number,
    body: Body,
    options?: RequestOptions,
  ): Promise<StorageAnswer>;
  /** All pages. */
  listParts(key: string, uploadId: string, options?: RequestOptions): Promise<readonly StoredPart[]>;
  /** An error inside an answer of 200 is thrown like any other. */
  completeMultipartUpload(
    key: string,
    uploadId: string,
    parts: readonly StoredPart[],
    options?: RequestOptions,
  ): Promise<StorageAnswer>;
  abortMultipartUpload(key: string, uploadId: string, options?: RequestOptions): Promise<void>;
  headObject(key: string, options?: RequestOptions): Promise<StoredObject>;
  /** Ends idle connections. */
  close(): void;
}
