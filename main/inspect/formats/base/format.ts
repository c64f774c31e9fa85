import type { Degree } from '../../../../shared/degrees.ts';
import type { FileBytes } from './file-bytes.ts';

/** A fault of a whole file (key under `sources.doubt`), or null. */
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

/**
 * Reads the beginning of the sidecar file with another extension (lower case, with dot); null if it is
 * missing.
 */
export type Beside = (ending: string) => Promise<Buffer | null>;

/** Checks whether a file ends as its format requires. May throw `PastEnd` and `ReadEnough`. */
export type Check = (file: FileBytes, beside: Beside) => Verdict | Promise<Verdict>;

/** A file with its header read. */
export interface Opened<Head> {
  /** Null if the file isn't what its extension says. */
  readonly head: Head | null;
  /** Continues after the header. */
  readonly end: Check;
  /** Returns the header with facts from a sample of the data. May throw the same errors. */
  readonly deeper?: (unpackLaz: UnpackLaz | null) => Promise<Head | null>;
  /** Thoroughness of this check. Default: `read`. */
  readonly degree?: Degree;
  /**
   * The meaning of zeros at the end. `unfilled`: the file was never filled. `nothing`: the format or `end`
   * explains them. Default: the file may not be filled.
   */
  readonly zerosAtEnd?: 'unfilled' | 'nothing';
}

/**
 * Unpacks the first points of a LAZ chunk to LAS; null if impossible.
 *
 * @param chunk its beginning; from point format 6 the whole chunk, with possibly shortened layers
 * @param format without the compression bits
 * @param length bytes per point
 */
export type UnpackLaz = (
  chunk: Buffer,
  points: { readonly format: number; readonly length: number; readonly count: number },
) => Promise<Buffer | null>;

/** Reads a header. May throw `PastEnd` and `ReadEnough`. */
export type Reader<Head> = (file: FileBytes, beside: Beside) => Promise<Opened<Head>>;

/** The result for a file that isn't what its extension says. */
export const somethingElse: Opened<never> = { head: null, end: () => 'otherFormat' };
