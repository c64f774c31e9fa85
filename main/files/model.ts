import type { FileIdentity } from './file-identity.ts';

/** A file of a source. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  /** Below the upload location's prefix: `/`-separated, Unicode NFC. */
  readonly key: string;
  /** Bytes at scan. */
  readonly size: number;
  /** At scan, ms. */
  readonly mtimeMs: number;
  /** At scan; absent if not determined. */
  readonly identity?: FileIdentity;
  /** Content of a virtual file, which has nothing at its path. */
  readonly content?: string;
}

/** Files in scan order, identified by index: an array, or a table that creates them on access. */
export interface SourceFiles extends Iterable<SourceFile> {
  readonly length: number;
  at(place: number): SourceFile | undefined;
}

export interface Scan {
  readonly files: SourceFiles;
  readonly bytes: number;
  /** Excluded paths: ignored, or no regular files (sockets, devices). */
  readonly ignored: readonly string[];
  /** Paths of links inside, which are never followed. */
  readonly links?: readonly string[];
  /** Folders without files. Storage has no folders, so they aren't uploaded. */
  readonly emptyFolders?: readonly string[];
  /** As written by `visibleName`. */
  readonly notUtf8?: readonly string[];
}
