/** Splits a byte stream into lines of UTF-8. */
interface LineReader {
  /** Trimmed, without empty ones. Null once a line is too long: the rest is untrusted. */
  add(chunk: Buffer): readonly string[] | null;
  /** In bytes. */
  allow(maxBytes: number): void;
}

const lineFeed = 0x0a;

/** @param maxBytes without the line's end */
export function createLineReader(maxBytes: number): LineReader {
  let limit = maxBytes;
  let buffered: Buffer[] = [];
  let heldBytes = 0;
  let isBroken = false;
  return {
    allow: (bytes) => {
      limit = bytes;
    },
    add: (chunk) => {
      const lines: string[] = [];
      let lineStart = 0;
      while (!isBroken) {
        const end = chunk.indexOf(lineFeed, lineStart);
        const part = chunk.subarray(lineStart, end < 0 ? chunk.length : end);
        heldBytes += part.length;
        if (heldBytes > limit) isBroken = true;
        else if (part.length > 0) buffered.push(part);
        if (end < 0 || isBroken) break;
        const line = Buffer.concat(buffered).toString('utf8').trim();
        buffered = [];
        heldBytes = 0;
        lineStart = end + 1;
        if (line !== '') lines.push(line);
      }
      if (isBroken) buffered = [];
      return isBroken ? null : lines;
    },
  };
}
