import type { FileIdentity } from './file-identity.ts';

/** One file of a source. */
export interface SourceFile {
  /** Where it is on this computer. */
  readonly path: string;
  /** Key below the upload location's prefix: `/`-separated, Unicode NFC. */
  readonly key: string;
  /** Bytes at scan. */
  readonly size: number;
  /** Modification time at scan, ms. */
  readonly mtimeMs: number;
  /** At scan; absent where it was not looked for. */
  readonly identity?: FileIdentity;
  /** Of a file that exists in the upload alone: nothing lies at its path, and nothing is read from there. */
  readonly content?: string;
}

/**
 * Files of a source, in the order in which they were found: a list of them, or a table of a million that
 * makes each when it is asked for. Its place tells a file apart from all others.
 */
export interface SourceFiles extends Iterable<SourceFile> {
  readonly length: number;
  /** Undefined past the end. */
  at(place: number): SourceFile | undefined;
}

export interface Scan {
  readonly files: SourceFiles;
  readonly bytes: number;
  /** Paths that were left out: by the ignore rules, or because they are no files (sockets, devices). */
  readonly ignored: readonly string[];
  /** Paths of links inside, which are not followed, wherever they point. */
  readonly links?: readonly string[];
  /** Folders with nothing to send in or below them: storage knows no folders, so they are not sent. */
  readonly emptyFolders?: readonly string[];
  /** Paths that are left out since their names are not UTF-8: as `visibleName` writes them. */
  readonly notUtf8?: readonly string[];
}
