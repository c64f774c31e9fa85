import type { FileIdentity } from './file-identity.ts';

/** A file of a source. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  /** Key below the upload location's prefix: `/`-separated, Unicode NFC. */
  readonly key: string;
  /** Bytes at scan. */
  readonly size: number;
  /** Modification time at scan, ms. */
  readonly mtimeMs: number;
  /** At scan; absent if not determined. */
  readonly identity?: FileIdentity;
  /** Content of a virtual file, which has nothing at its path. */
  readonly content?: string;
}

/**
 * A source's files in scan order: an array, or a table that creates files on access. The index identifies a
 * file.
 */
export interface SourceFiles extends Iterable<SourceFile> {
  readonly length: number;
  /** Undefined past the end. */
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
  /** Excluded paths whose names aren't UTF-8, as written by `visibleName`. */
  readonly notUtf8?: readonly string[];
}
