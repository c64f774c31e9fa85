/** How one file is cut for storage (design, "Plan"). Frozen in the journal: nothing recomputes it later. */

const mebibyte = 1024 * 1024;
const smallestPart = 8 * mebibyte;
/** S3 allows 10,000 parts; the rest is room. */
const maxParts = 9900;

export interface FilePlan {
  /** Bytes of every part but the last. A file no larger than this goes in one request. */
  readonly partSize: number;
  /** 1 for a file that goes in one request, an empty one included. */
  readonly partCount: number;
}

export interface PartRange {
  /** From 1, as S3 counts. */
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

/** Part size = max(8 MiB, size ÷ 9,900 rounded up to a whole MiB). */
export function planFile(size: number): FilePlan {
  const partSize = Math.max(smallestPart, Math.ceil(size / maxParts / mebibyte) * mebibyte);
  return { partSize, partCount: countParts(size, partSize) };
}

/** The count that follows from a part size frozen earlier. */
export function countParts(size: number, partSize: number): number {
  return Math.max(1, Math.ceil(size / partSize));
}

export function partRange(size: number, partSize: number, number: number): PartRange {
  const offset = (number - 1) * partSize;
  return { number, offset, length: Math.min(partSize, size - offset) };
}
