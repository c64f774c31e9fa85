import { closeSync, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { TileliftError } from '../errors.ts';
import { RunningSums, type Sums, sumsOf, type WantedSums } from './checksums.ts';
import { type FileIdentity, identityOf, isGone, isSameFile, readFlags } from './file-identity.ts';
import { defaultReadStallMs, withoutStall } from './stalled-read.ts';

/** A source file as scanned. */
export interface KnownSource {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Absent if not recorded; then size and time decide. */
  readonly identity?: FileIdentity;
}

export interface ReadPart extends Sums {
  /** A view of the given buffer. */
  readonly bytes: Buffer;
  readonly identity: FileIdentity;
}

/**
 * The file was changed or replaced with the same size and time, so only its content can show the difference.
 */
export class SourceReplaced extends Error {
  override readonly name = 'SourceReplaced';
  readonly identity: FileIdentity;

  constructor(identity: FileIdentity) {
    super('the file was changed or replaced, with the same size and time');
    this.identity = identity;
  }
}

/** Read size that fits the processor's cache, for hashing while the next piece is read. */
const pieceBytes = 1024 * 1024;
/** Windows has no flag to refuse links on opening. */
const looksForLinks = process.platform === 'win32';

/**
 * Reads a part into `buffer` with its checksums. Reopens the file for each part to notice a replacement, and
 * compares it with the scan before and after.
 *
 * @throws TileliftError `source-changed`, `source-unreadable` or `source-stalled`, with the file
 * @throws SourceReplaced
 */
export async function readPart(
  source: KnownSource,
  offset: number,
  length: number,
  buffer: Buffer,
  requestedSums: WantedSums,
  stallMs = defaultReadStallMs,
): Promise<ReadPart> {
  const { path } = source;
  return naming(path, async () => {
    const within = <T>(reading: Promise<T>) => withoutStall(reading, path, stallMs);
    if (looksForLinks) refuseLink(path, await within(lstat(path)));
    const opening = open(path, readFlags);
    const handle = await within(opening).catch((thrown) => {
      // The drive may still answer later.
      void opening.then((late) => late.close()).catch(() => {});
      throw thrown;
    });
    let lastRead: Promise<unknown> = Promise.resolve();
    const asking = <T>(reading: Promise<T>) => {
      lastRead = reading;
      return within(reading);
    };
    try {
      const identity = meet(source, await asking(handle.stat()), handle);
      const bytes = buffer.subarray(0, length);
      const sums = new RunningSums(requestedSums);
      let filled = 0;
      let hashed = 0;
      while (filled < length) {
        const reading = handle.read(bytes, filled, Math.min(pieceBytes, length - filled), offset + filled);
        sums.update(bytes.subarray(hashed, filled));
        hashed = filled;
        const { bytesRead } = await asking(reading);
        if (bytesRead === 0) throw changed(path);
        filled += bytesRead;
      }
      sums.update(bytes.subarray(hashed));
      meet(asRead(source, identity), await asking(handle.stat()), handle);
      return { bytes, ...sums.end(), identity };
    } finally {
      closeLater(handle, lastRead);
    }
  });
}

/** Closes after the last call, because closing would hang behind it. */
function closeLater(handle: FileHandle, lastRead: Promise<unknown>): void {
  const closeHandle = () => handle.close();
  void lastRead.then(closeHandle, closeHandle).catch(() => {});
}

/**
 * Like `readPart`, but in this thread and in pieces, with `blocking` around calls that may hang. Never throws
 * `source-stalled`.
 */
export async function readPartHere(
  source: KnownSource,
  offset: number,
  length: number,
  buffer: Buffer,
  requestedSums: WantedSums,
  blocking: <T>(work: () => T) => T,
): Promise<ReadPart> {
  const descriptor = blocking(() => openSource(source.path));
  try {
    const identity = blocking(() => meet(source, fstatSync(descriptor), descriptor));
    const bytes = buffer.subarray(0, length);
    const sums = new RunningSums(requestedSums);
    for (let filled = 0; filled < length; await setImmediate()) {
      const maxBytes = Math.min(pieceBytes, length - filled);
      const count = blocking(() => readSync(descriptor, bytes, filled, maxBytes, offset + filled));
      if (count === 0) throw changed(source.path);
      sums.update(bytes.subarray(filled, filled + count));
      filled += count;
    }
    blocking(() => meet(asRead(source, identity), fstatSync(descriptor), descriptor));
    return { bytes, ...sums.end(), identity };
  } catch (cause) {
    throw withPath(source.path, cause);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Like `readPart` for a small file on a fast disk, without the slower thread pool. `checkSourceSync` detects
 * changes after the upload.
 */
export function readPartSync(source: KnownSource, buffer: Buffer, requestedSums: WantedSums): ReadPart {
  const descriptor = openSource(source.path);
  try {
    const identity = meet(source, fstatSync(descriptor), descriptor);
    const bytes = buffer.subarray(0, source.size);
    let filled = 0;
    while (filled < source.size) {
      const count = readSync(descriptor, bytes, filled, source.size - filled, filled);
      if (count === 0) throw changed(source.path);
      filled += count;
    }
    return { bytes, ...sumsOf(bytes, requestedSums), identity };
  } catch (cause) {
    throw withPath(source.path, cause);
  } finally {
    closeSync(descriptor);
  }
}

/** Compares the file now at the path. Throws like `readPart`, or the signal's reason. */
export async function checkSource(
  source: KnownSource,
  stallMs = defaultReadStallMs,
  signal?: AbortSignal,
): Promise<FileIdentity> {
  const { path } = source;
  try {
    return meet(source, await withoutStall(stat(path), path, stallMs, signal), path);
  } catch (cause) {
    signal?.throwIfAborted();
    throw withPath(path, cause);
  }
}

/** Synchronous `checkSource`. */
export function checkSourceSync(source: KnownSource): FileIdentity {
  try {
    return meet(source, statSync(source.path), source.path);
  } catch (cause) {
    throw withPath(source.path, cause);
  }
}

/** Opens a file for reading, without following a link. Throws like `readPart`. */
export function openSource(path: string): number {
  try {
    if (looksForLinks) refuseLink(path, lstatSync(path));
    return openSync(path, readFlags);
  } catch (cause) {
    throw withPath(path, cause);
  }
}

/** Returns the identity of an open file if it still is the source. Throws like `readPart`. */
export function meetSource(source: KnownSource, descriptor: number): FileIdentity {
  try {
    return meet(source, fstatSync(descriptor), descriptor);
  } catch (cause) {
    throw withPath(source.path, cause);
  }
}

function refuseLink(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw changed(path);
}

function meet(source: KnownSource, stats: Stats, handleOrPath: FileHandle | number | string): FileIdentity {
  if (!stats.isFile() || stats.size !== source.size || stats.mtimeMs !== source.mtimeMs)
    throw changed(source.path);
  const identity = identityOf(stats, () =>
    typeof handleOrPath === 'string'
      ? statSync(handleOrPath, { bigint: true })
      : fstatSync(typeof handleOrPath === 'number' ? handleOrPath : handleOrPath.fd, { bigint: true }),
  );
  if (source.identity && !isSameFile(source.identity, identity)) throw new SourceReplaced(identity);
  return identity;
}

/** If only size and time are known, only those are compared after reading. */
function asRead(source: KnownSource, identity: FileIdentity): KnownSource {
  return source.identity ? { ...source, identity } : source;
}

export function changed(path: string, cause?: unknown): TileliftError {
  return new TileliftError('source-changed', { subject: path, cause });
}

/** Adds the path to errors, like `readPart`. */
export async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw withPath(path, cause);
  }
}

function withPath(path: string, cause: unknown): unknown {
  if (cause instanceof TileliftError || cause instanceof SourceReplaced) return cause;
  return isGone(cause)
    ? changed(path, cause)
    : new TileliftError('source-unreadable', { subject: path, cause });
}
