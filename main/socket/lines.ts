/** Cuts a stream of bytes into lines of UTF-8. Pure but for what it remembers. */
interface LineReader {
  /**
   * The lines that are whole by now, without their ends; empty ones are left out. Null once a line is longer
   * than allowed: nothing after it can be trusted.
   */
  add(chunk: Buffer): readonly string[] | null;
  /** Of lines that begin from now on, bytes. */
  allow(maxBytes: number): void;
}

const lineFeed = 0x0a;

/** @param maxBytes of one line, its end not counted */
export function createLineReader(maxBytes: number): LineReader {
  let limit = maxBytes;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isBroken = false;
  return {
    allow: (bytes) => {
      limit = bytes;
    },
    add: (chunk) => {
      const lines: string[] = [];
      let from = 0;
      while (!isBroken) {
        const end = chunk.indexOf(lineFeed, from);
        const part = chunk.subarray(from, end < 0 ? chunk.length : end);
        heldBytes += part.length;
        if (heldBytes > limit) isBroken = true;
        else if (part.length > 0) held.push(part);
        if (end < 0 || isBroken) break;
        const line = Buffer.concat(held).toString('utf8').trim();
        held = [];
        heldBytes = 0;
        from = end + 1;
        if (line !== '') lines.push(line);
      }
      if (isBroken) held = [];
      return isBroken ? null : lines;
    },
  };
}
