/** Less than this share of a file on the disk is a hole rather than compression. */
const leastAllocated = 0.05;
/** File systems keep smaller files elsewhere, so a smaller hole says nothing. Bytes. */
const smallestSparse = 1024 * 1024;

/**
 * Whether a file has its size, but hardly any of its bytes: some programs and file servers fill a file only
 * after they have given it its size.
 *
 * @param allocated bytes that it has on the disk; NaN where unknown
 */
export const isSparse = (size: number, allocated: number): boolean =>
  size >= smallestSparse && allocated < size * leastAllocated;
