import type { FilePieces } from './file-pieces.ts';

/** A PNG: it has no place for a coordinate system. */
export interface PngHead {
  readonly kind: 'png';
}

export function readPngHead(file: FilePieces): PngHead | null {
  return file.take(0, 8)?.toString('hex') === '89504e470d0a1a0a' ? { kind: 'png' } : null;
}
