import type { Degree } from '../../../../shared/degrees.ts';
import type { FileBytes } from './file-bytes.ts';

/** What is wrong with a file, said as `sources.doubt.…`; null for nothing. */
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
 * The beginning of the file of the same name with another ending (in lower case, with its dot); null where
 * there is none.
 */
export type Beside = (ending: string) => Promise<Buffer | null>;

/** Whether a file ends as its format says. May throw `PastEnd` and `ReadEnough`. */
export type Check = (file: FileBytes, beside: Beside) => Verdict | Promise<Verdict>;

/** A file whose head was read. */
export interface Opened<Head> {
  /** Null for what is not what its ending says. */
  readonly head: Head | null;
  /** Goes on from where the head was read. */
  readonly end: Check;
  /** The head with what a look at some of the data itself adds. May throw likewise. */
  readonly deeper?: (unpackLaz: UnpackLaz | null) => Promise<Head | null>;
  /** How thoroughly this checks the file. Default: `read`. */
  readonly degree?: Degree;
  /**
   * What zeros at the very end show. `unfilled`: the file was never filled. `nothing`: the format or `end`
   * accounts for them. Default: the file may not be filled.
   */
  readonly zerosAtEnd?: 'unfilled' | 'nothing';
}

/**
 * The first points of a chunk of a LAZ file, as LAS writes them; null where it can’t be unpacked.
 * @param chunk its beginning; of a format from 6 on all of it, whose layers may be shortened
 * @param format of its points, without the bits that say that they are packed
 * @param length of one, bytes
 */
export type UnpackLaz = (
  chunk: Buffer,
  points: { readonly format: number; readonly length: number; readonly count: number },
) => Promise<Buffer | null>;

/** Reads the head of a file. May throw `PastEnd` and `ReadEnough`. */
export type Reader<Head> = (file: FileBytes, beside: Beside) => Promise<Opened<Head>>;

/** Something else than its ending says. */
export const somethingElse: Opened<never> = { head: null, end: () => 'otherFormat' };
