import type { FindingId } from './findings.ts';

/** What a person decides in the sheet about the files of a source, before they are uploaded. */

/**
 * Files of a source: by their keys, or all that show a finding, of which a page knows only the first 1,000.
 */
export type SomeFiles = { readonly keys: readonly string[] } | { readonly finding: FindingId };

/** A coordinate system for files that name none. */
export interface AssignedSystem {
  /** EPSG code of a projected or geographic 2D system. */
  readonly epsg: number;
  readonly files: SomeFiles;
}

/** Nothing of it is ever written into the source. */
export interface SourceChanges {
  /** They are not sent. */
  readonly leftOut: readonly SomeFiles[];
  /** Of two that name the same file, the last counts. */
  readonly assigned: readonly AssignedSystem[];
  /** Files beside single dropped ones that are uploaded with these: paths, as the findings offer them. */
  readonly takenAlong?: readonly string[];
}
