import { extname } from 'node:path';
import { readFile } from '../../../../main/inspect/formats/read-file.ts';
import { unpackLaz } from '../../../../main/inspect/headers/laz-perf.ts';

interface Options {
  /** The header beside it. */
  readonly header?: string | undefined;
  /** As if the file went on to there with zeros. */
  readonly size?: number | undefined;
  readonly wants?: 'head' | 'both' | undefined;
  /** Some of the data is looked at too. */
  readonly deep?: boolean;
}

/** What a file of this name and content says of itself, and how much of it was read for that. */
export async function readBytes(name: string, content: Uint8Array | string, options: Options = {}) {
  const bytes = Buffer.from(content);
  const { header, size = bytes.length, wants, deep = false } = options;
  const reads: { readonly at: number; readonly length: number }[] = [];
  const read = async (at: number, length: number) => {
    const there = Math.max(0, Math.min(length, size - at));
    reads.push({ at, length: there });
    const piece = bytes.subarray(at, at + there);
    return Buffer.concat([piece, Buffer.alloc(there - piece.length)]);
  };
  const beside = async () => (header === undefined ? null : Buffer.from(header, 'latin1'));
  const file = { ending: extname(name).toLowerCase(), size, read, beside, deep, unpackLaz };
  return {
    ...(await readFile(file, wants)),
    reads,
    bytesRead: reads.reduce((sum, { length }) => sum + length, 0),
  };
}
