import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { TileliftError } from '../errors.ts';

/** A source file as it was at the scan. */
export interface KnownSource {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface ReadPart {
  /** A view of the given buffer. */
  readonly bytes: Buffer;
  readonly md5: Buffer;
}

/** Read ahead of the hash in pieces of this size, which stay in the processor's cache in between. */
const pieceBytes = 1024 * 1024;

/**
 * Fills the front of `buffer` with a part and hashes it on the way. The file is opened anew for each part, so that one that was replaced
 * under its name is noticed, and is compared with the scan before and after.
 *
 * @throws TileliftError `source-changed` or `source-unreadable`, naming the file
 */
export async function readPart(
  source: KnownSource,
  offset: number,
  length: number,
  buffer: Buffer,
): Promise<ReadPart> {
  return naming(source.path, async () => {
    const handle = await open(source.path, 'r');
    try {
      compare(source, await handle.stat());
      const bytes = buffer.subarray(0, length);
      const md5 = createHash('md5');
      let filled = 0;
      let hashed = 0;
      while (filled < length) {
        const reading = handle.read(bytes, filled, Math.min(pieceBytes, length - filled), offset + filled);
        md5.update(bytes.subarray(hashed, filled));
        hashed = filled;
        const { bytesRead } = await reading;
        if (bytesRead === 0) throw changed(source.path);
        filled += bytesRead;
      }
      md5.update(bytes.subarray(hashed));
      compare(source, await handle.stat());
      return { bytes, md5: md5.digest() };
    } finally {
      await handle.close();
    }
  });
}

/**
 * `readPart` for a small file on a disk that answers at once: without the way through the thread pool, which costs more than the reading. Whether it
 * changed meanwhile is for `checkSourceSync` to find out, once storage has it.
 */
export function readPartSync(source: KnownSource, buffer: Buffer): ReadPart {
  const descriptor = openOrName(source.path);
  try {
    compare(source, fstatSync(descriptor));
    const bytes = buffer.subarray(0, source.size);
    let filled = 0;
    while (filled < source.size) {
      const count = readSync(descriptor, bytes, filled, source.size - filled, filled);
      if (count === 0) throw changed(source.path);
      filled += count;
    }
    return { bytes, md5: hash('md5', bytes, 'buffer') };
  } catch (cause) {
    throw named(source.path, cause);
  } finally {
    closeSync(descriptor);
  }
}

/** Compares what lies at the path now, which may be another file by now. Throws like `readPart`. */
export async function checkSource(source: KnownSource): Promise<void> {
  await naming(source.path, async () => compare(source, await stat(source.path)));
}

/** `checkSource`, at once. */
export function checkSourceSync(source: KnownSource): void {
  try {
    compare(source, statSync(source.path));
  } catch (cause) {
    throw named(source.path, cause);
  }
}

function openOrName(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw named(path, cause);
  }
}

function compare(source: KnownSource, found: Stats): void {
  if (found.size !== source.size || found.mtimeMs !== source.mtimeMs) throw changed(source.path);
}

function changed(path: string, cause?: unknown): TileliftError {
  return new TileliftError('source-changed', { subject: path, cause });
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw named(path, cause);
  }
}

function named(path: string, cause: unknown): TileliftError {
  if (cause instanceof TileliftError) return cause;
  const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return missing ? changed(path, cause) : new TileliftError('source-unreadable', { subject: path, cause });
}
