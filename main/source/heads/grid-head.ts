import type { FilePieces } from './file-pieces.ts';

/** An ASCII grid: a few lines of words and numbers, then heights. It has no place for a coordinate system. */
export interface GridHead {
  readonly kind: 'grid';
}

const longestHead = 1_024;

/** Null for what is no ASCII grid; other files have the ending `.asc` too. */
export function readGridHead(file: FilePieces): GridHead | null {
  const text = file.takeUpTo(0, longestHead).toString('latin1');
  return /^\s*ncols\s+\d+\s+nrows\s+\d+/i.test(text) ? { kind: 'grid' } : null;
}
