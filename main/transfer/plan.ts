/** How a file is split into parts. The journal freezes the plan; it is never recomputed. */

const mebibyte = 1024 * 1024;
const smallestPart = 8 * mebibyte;
/** S3 allows 10,000. */
const maxParts = 9900;

/** How a file is split for storage. */
export interface FilePlan {
  /** A file up to this size goes in a single request. */
  readonly partSize: number;
  readonly partCount: number;
}

/** The bytes of one part. */
export interface PartRange {
  /** 1-based, as in S3. */
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

/** Part size = max(8 MiB, size ÷ 9,900 rounded up to a whole MiB). */
export function planFile(size: number): FilePlan {
  const partSize = Math.max(smallestPart, Math.ceil(size / maxParts / mebibyte) * mebibyte);
  return { partSize, partCount: countParts(size, partSize) };
}

/** The number of parts for a frozen part size. */
export function countParts(size: number, partSize: number): number {
  return Math.max(1, Math.ceil(size / partSize));
}

/** The range of a 1-based part. */
export function partRange(size: number, partSize: number, number: number): PartRange {
  const offset = (number - 1) * partSize;
  return { number, offset, length: Math.min(partSize, size - offset) };
}
