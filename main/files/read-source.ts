import { closeSync, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { TileliftError } from '../errors.ts';
import { type RequestedSums, RunningSums, type Sums, sumsOf } from './checksums.ts';
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
  requestedSums: RequestedSums,
  stallMs = defaultReadStallMs,
): Promise<ReadPart> {
  const { path } = source;
  return withPathInErrors(path, async () => {
    const withStallLimit = <T>(readPromise: Promise<T>) => withoutStall(readPromise, path, stallMs);
    if (looksForLinks) refuseLink(path, await withStallLimit(lstat(path)));
    const openPromise = open(path, readFlags);
    const handle = await withStallLimit(openPromise).catch((error) => {
      // The drive may still answer later.
      void openPromise.then((lateHandle) => lateHandle.close()).catch(() => {});
      throw error;
    });
    let lastRead: Promise<unknown> = Promise.resolve();
    const requestFirst = <T>(readPromise: Promise<T>) => {
      lastRead = readPromise;
      return withStallLimit(readPromise);
    };
    try {
      const identity = verifyIdentity(source, await requestFirst(handle.stat()), handle);
      const bytes = buffer.subarray(0, length);
      const sums = new RunningSums(requestedSums);
      let filledBytes = 0;
      let hashed = 0;
      while (filledBytes < length) {
        const readPromise = handle.read(
          bytes,
          filledBytes,
          Math.min(pieceBytes, length - filledBytes),
          offset + filledBytes,
        );
        sums.update(bytes.subarray(hashed, filledBytes));
        hashed = filledBytes;
        const { bytesRead } = await requestFirst(readPromise);
        if (bytesRead === 0) throw changedError(path);
        filledBytes += bytesRead;
      }
      sums.update(bytes.subarray(hashed));
      verifyIdentity(asRead(source, identity), await requestFirst(handle.stat()), handle);
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
  requestedSums: RequestedSums,
  blocking: <T>(work: () => T) => T,
): Promise<ReadPart> {
  const descriptor = blocking(() => openSource(source.path));
  try {
    const identity = blocking(() => verifyIdentity(source, fstatSync(descriptor), descriptor));
    const bytes = buffer.subarray(0, length);
    const sums = new RunningSums(requestedSums);
    for (let filledBytes = 0; filledBytes < length; await setImmediate()) {
      const maxBytes = Math.min(pieceBytes, length - filledBytes);
      const count = blocking(() => readSync(descriptor, bytes, filledBytes, maxBytes, offset + filledBytes));
      if (count === 0) throw changedError(source.path);
      sums.update(bytes.subarray(filledBytes, filledBytes + count));
      filledBytes += count;
    }
    blocking(() => verifyIdentity(asRead(source, identity), fstatSync(descriptor), descriptor));
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
export function readPartSync(source: KnownSource, buffer: Buffer, requestedSums: RequestedSums): ReadPart {
  const descriptor = openSource(source.path);
  try {
    const identity = verifyIdentity(source, fstatSync(descriptor), descriptor);
    const bytes = buffer.subarray(0, source.size);
    let filledBytes = 0;
    while (filledBytes < source.size) {
      const count = readSync(descriptor, bytes, filledBytes, source.size - filledBytes, filledBytes);
      if (count === 0) throw changedError(source.path);
      filledBytes += count;
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
    return verifyIdentity(source, await withoutStall(stat(path), path, stallMs, signal), path);
  } catch (cause) {
    signal?.throwIfAborted();
    throw withPath(path, cause);
  }
}

/** Synchronous `checkSource`. */
export function checkSourceSync(source: KnownSource): FileIdentity {
  try {
    return verifyIdentity(source, statSync(source.path), source.path);
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
export function verifySource(source: KnownSource, descriptor: number): FileIdentity {
  try {
    return verifyIdentity(source, fstatSync(descriptor), descriptor);
  } catch (cause) {
    throw withPath(source.path, cause);
  }
}

function refuseLink(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw changedError(path);
}

function verifyIdentity(
  source: KnownSource,
  stats: Stats,
  handleOrPath: FileHandle | number | string,
): FileIdentity {
  if (!stats.isFile() || stats.size !== source.size || stats.mtimeMs !== source.mtimeMs)
    throw changedError(source.path);
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

export function changedError(path: string, cause?: unknown): TileliftError {
  return new TileliftError('source-changed', { subject: path, cause });
}

/** Adds the path to errors, like `readPart`. */
export async function withPathInErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw withPath(path, cause);
  }
}

function withPath(path: string, cause: unknown): unknown {
  if (cause instanceof TileliftError || cause instanceof SourceReplaced) return cause;
  return isGone(cause)
    ? changedError(path, cause)
    : new TileliftError('source-unreadable', { subject: path, cause });
}
