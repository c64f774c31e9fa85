import type { FindingId } from './findings.ts';

/** What a person decides in the sheet about the files of a source, before they are uploaded. */

/**
 * Files of a source: by their keys, or all that show a finding, of which a page knows only the first 1,000.
 */
export type SomeFiles = { readonly keys: readonly string[] } | { readonly finding: FindingId };

/** A coordinate system for files that name none. */
interface AssignedSystem {
  /** EPSG code of a projected or geographic 2D system. */
  readonly epsg: number;
  readonly files: SomeFiles;
}

/** A system without a number, as a file beside these says it, which is not read there. */
interface WordedSystem {
  /** Well-known text, at most `maxWkt` characters. */
  readonly wkt: string;
  readonly files: SomeFiles;
}

/** Characters of a well-known text that goes along as it is. */
export const maxWkt = 8_000;

/** What an upload made of the source besides its files as they are. */
export interface ChangesInShort {
  /** EPSG codes that files were told, ascending. */
  readonly assigned: readonly number[];
  /** Files were told a system without a number. */
  readonly worded: boolean;
  /** Files that were not sent. */
  readonly leftOut: number;
  /** Files from beside the source that were sent with it. */
  readonly takenAlong: number;
}

/** Nothing of it is ever written into the source. */
export interface SourceChanges {
  /** They are not sent. */
  readonly leftOut: readonly SomeFiles[];
  /** Of two that name the same file, the last counts. */
  readonly assigned: readonly AssignedSystem[];
  /** They count before those that bear a number. */
  readonly worded?: readonly WordedSystem[];
  /** Files beside single dropped ones that are uploaded with these: paths, as the findings offer them. */
  readonly takenAlong?: readonly string[];
}
