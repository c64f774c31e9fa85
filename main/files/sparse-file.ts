/** A smaller share on disk is a hole and not compression. */
const leastAllocated = 0.05;
/** Smaller files may be stored elsewhere, without own blocks. Bytes. */
const smallestSparse = 1024 * 1024;

/**
 * Whether hardly any bytes of a file are on disk: some programs and file servers set the size first and write
 * later.
 *
 * @param allocated bytes on disk; NaN if unknown
 */
export const isSparse = (size: number, allocated: number): boolean =>
  size >= smallestSparse && allocated < size * leastAllocated;
