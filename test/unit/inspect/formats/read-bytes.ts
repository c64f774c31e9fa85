import { extname } from 'node:path';
import { readFile } from '../../../../main/inspect/formats/read-file.ts';
import { unpackLaz } from '../../../../main/inspect/headers/laz-perf.ts';

interface Options {
  /** The header file next to it. */
  readonly header?: string | undefined;
  /** Extends the file with zeros to this size. */
  readonly size?: number | undefined;
  /** Also inspects a sample of the data. */
  readonly deep?: boolean;
}

/** Reads a file with this name and content, and counts the bytes read. */
export async function readBytes(name: string, content: Uint8Array | string, options: Options = {}) {
  const bytes = Buffer.from(content);
  const { header, size = bytes.length, deep: isDeep = false } = options;
  const reads: { readonly at: number; readonly length: number }[] = [];
  const read = async (at: number, length: number) => {
    const available = Math.max(0, Math.min(length, size - at));
    reads.push({ at, length: available });
    const piece = bytes.subarray(at, at + available);
    return Buffer.concat([piece, Buffer.alloc(available - piece.length)]);
  };
  const readSidecar = async () => (header === undefined ? null : Buffer.from(header, 'latin1'));
  const file = { extension: extname(name).toLowerCase(), size, read, readSidecar, deep: isDeep, unpackLaz };
  return { ...(await readFile(file)), reads, bytesRead: reads.reduce((sum, { length }) => sum + length, 0) };
}
