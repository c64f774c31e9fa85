import type { Degree } from '../../../../shared/degrees.ts';
import type { FileBytes } from './file-bytes.ts';

/** A file's fault (key under `sources.doubt`), or null. */
export type Verdict =
  | 'empty'
  | 'lfsPointer'
  | 'webPage'
  | 'serverError'
  | 'otherFormat'
  | 'zeros'
  | 'noArchiveEnd'
  | 'noDirectory'
  | 'noEnd'
  | 'tooShort'
  | 'tooLong'
  | null;

/** Reads the start of the sidecar file with this extension (lower case, with dot), or null. */
export type ReadSidecar = (extension: string) => Promise<Buffer | null>;

/** Checks a file's end. May throw `PastEndError` and `ReadLimitError`. */
export type Check = (file: FileBytes, readSidecar: ReadSidecar) => Verdict | Promise<Verdict>;

/** A file whose header was read. */
export interface Opened<Head> {
  /** Null if the file isn't what its extension says. */
  readonly head: Head | null;
  /** Continues after the header. */
  readonly end: Check;
  /** Adds facts from sampled data. May throw the same errors. */
  readonly readSamples?: (unpackLaz: UnpackLaz | null) => Promise<Head | null>;
  /** Default: `read`. */
  readonly degree?: Degree;
  /**
   * Zeros at the end: `unfilled` means that the file was never filled, `nothing` that they are normal.
   * Default: the file may be unfilled.
   */
  readonly zerosAtEnd?: 'unfilled' | 'nothing';
}

/**
 * Unpacks the first points of a LAZ chunk, or returns null.
 *
 * @param chunk its beginning; from format 6 all of it, with possibly shortened layers
 * @param format without the compression bits
 * @param length bytes per point
 */
export type UnpackLaz = (
  chunk: Buffer,
  points: { readonly format: number; readonly length: number; readonly count: number },
) => Promise<Buffer | null>;

/** Reads a header. May throw `PastEndError` and `ReadLimitError`. */
export type Reader<Head> = (file: FileBytes, readSidecar: ReadSidecar) => Promise<Opened<Head>>;

/** For a file that isn't what its extension says. */
export const unrecognizedFile: Opened<never> = { head: null, end: () => 'otherFormat' };
