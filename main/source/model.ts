import type { AssetType } from '../../shared/assets.ts';
import type { PhraseValue, Said } from '../../strings/phrase.ts';
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
}

export interface Scan {
  readonly files: readonly SourceFile[];
  readonly bytes: number;
  /** Paths that were left out: by the ignore rules, or because they are no files at all (sockets, devices). */
  readonly ignored: readonly string[];
  /** Paths of links inside, which are not followed, wherever they point. */
  readonly links?: readonly string[];
  /** Folders in which nothing is to be sent, with nothing below them: storage knows no folders, so they are not sent. */
  readonly emptyFolders?: readonly string[];
  /** Names inside the source's archive, when the source is one single `.zip`. */
  readonly archivedNames?: readonly string[];
}

/** A guess at what the data is, from the names and heads of its files. */
export interface Suggestion {
  /** The kind of data in the words of the field, for example "CityGML". */
  readonly kind: Said;
  readonly assetType: AssetType;
  readonly sourceType: string;
  /** Why, in words: "34 .gml files". */
  readonly reason: PhraseValue;
}
