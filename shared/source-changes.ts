import type { FindingId } from './findings.ts';

/** Files by key, or all with a finding, because a page only knows the first 1,000. */
export type SomeFiles = { readonly keys: readonly string[] } | { readonly finding: FindingId };

/** A coordinate system for files without one. */
interface AssignedSystem {
  /** EPSG code of a projected or geographic 2D system. */
  readonly epsg: number;
  readonly files: SomeFiles;
}

/** A system without an EPSG code, from a sidecar that the service ignores. */
interface WordedSystem {
  /** At most `maxWkt` characters. */
  readonly wkt: string;
  readonly files: SomeFiles;
}

/** Characters. */
export const maxWkt = 8_000;

export interface ChangesInShort {
  /** Assigned EPSG codes, ascending. */
  readonly assigned: readonly number[];
  readonly worded: boolean;
  readonly leftOut: number;
  readonly takenAlong: number;
}

/** The user's changes to a source before upload. They never modify the source itself. */
export interface SourceChanges {
  readonly leftOut: readonly SomeFiles[];
  /** The last assignment of a file counts. */
  readonly assigned: readonly AssignedSystem[];
  /** Applied before those with an EPSG code. */
  readonly worded?: readonly WordedSystem[];
  /** Neighbours of dropped files, as offered by findings. */
  readonly takenAlong?: readonly string[];
}
