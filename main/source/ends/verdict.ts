import type { FileBytes } from './file-bytes.ts';

/** What is wrong with a file, said as `sources.doubt.…`; null for nothing. */
export type Verdict =
  | 'empty'
  | 'lfsPointer'
  | 'webPage'
  | 'serverError'
  | 'noArchiveEnd'
  | 'noDirectory'
  | 'noEnd'
  | 'tooShort'
  | 'tooLong'
  | null;

/** The beginning of the file of the same name with another ending (in lower case, with its dot); null where there is none. */
export type Beside = (ending: string) => Promise<Buffer | null>;

/** May throw `PastEnd` and `ReadEnough`. */
export type Check = (file: FileBytes, beside: Beside) => Verdict | Promise<Verdict>;
