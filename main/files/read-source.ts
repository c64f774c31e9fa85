import { closeSync, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { TileliftError } from '../errors.ts';
import { RunningSums, type Sums, sumsOf, type WantedSums } from './checksums.ts';
import { type FileIdentity, identityOf, isGone, isSameFile, readFlags } from './file-identity.ts';
import { defaultReadStallMs, withoutStall } from './stalled-read.ts';

/** A source file as it was at the scan. */
export interface KnownSource {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Absent where it was never written down: size and time decide. */
  readonly identity?: FileIdentity;
}

export interface ReadPart extends Sums {
  /** A view of the given buffer. */
  readonly bytes: Buffer;
  /** Of what was read. */
  readonly identity: FileIdentity;
}

/** Size and time are as they were, and yet it was changed or is another file: only its content can tell. */
export class SourceReplaced extends Error {
  override readonly name = 'SourceReplaced';
  readonly found: FileIdentity;

  constructor(found: FileIdentity) {
    super('the file was changed or replaced, with the same size and time');
    this.found = found;
  }
}

/** Read ahead of the hash in pieces of this size, which stay in the processor's cache in between. */
const pieceBytes = 1024 * 1024;
/** Windows can't refuse a link while it opens a file. */
const looksForLinks = process.platform === 'win32';

/**
 * Fills the front of `buffer` with a part and takes its checksums on the way. The file is opened again for
 * each part, so that one that was replaced under its name is noticed, and is compared with the scan before
 * and after.
 *
 * @throws TileliftError `source-changed`, `source-unreadable` or `source-stalled`, naming the file
 * @throws SourceReplaced
 */
export async function readPart(
  source: KnownSource,
  offset: number,
  length: number,
  buffer: Buffer,
  wanted: WantedSums,
  stallMs = defaultReadStallMs,
): Promise<ReadPart> {
  const { path } = source;
  return naming(path, async () => {
    const within = <T>(asked: Promise<T>) => withoutStall(asked, path, stallMs);
    if (looksForLinks) refuseLink(path, await within(lstat(path)));
    const opening = open(path, readFlags);
    const handle = await within(opening).catch((thrown) => {
      // Whenever a dead drive does answer.
      void opening.then((late) => late.close()).catch(() => {});
      throw thrown;
    });
    let last: Promise<unknown> = Promise.resolve();
    const asking = <T>(asked: Promise<T>) => {
      last = asked;
      return within(asked);
    };
    try {
      const identity = meet(source, await asking(handle.stat()), handle);
      const bytes = buffer.subarray(0, length);
      const sums = new RunningSums(wanted);
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
      closeLater(handle, last);
    }
  });
}

/** A call that hangs keeps its file: closing would hang behind it. */
function closeLater(handle: FileHandle, last: Promise<unknown>): void {
  const close = () => handle.close();
  void last.then(close, close).catch(() => {});
}

/**
 * `readPart` in this thread, a piece at a time; `blocking` is called around what may hang. Throws like it,
 * but `source-stalled`.
 */
export async function readPartHere(
  source: KnownSource,
  offset: number,
  length: number,
  buffer: Buffer,
  wanted: WantedSums,
  blocking: <T>(work: () => T) => T,
): Promise<ReadPart> {
  const descriptor = blocking(() => openSource(source.path));
  try {
    const identity = blocking(() => meet(source, fstatSync(descriptor), descriptor));
    const bytes = buffer.subarray(0, length);
    const sums = new RunningSums(wanted);
    for (let filled = 0; filled < length; await setImmediate()) {
      const most = Math.min(pieceBytes, length - filled);
      const count = blocking(() => readSync(descriptor, bytes, filled, most, offset + filled));
      if (count === 0) throw changed(source.path);
      sums.update(bytes.subarray(filled, filled + count));
      filled += count;
    }
    blocking(() => meet(asRead(source, identity), fstatSync(descriptor), descriptor));
    return { bytes, ...sums.end(), identity };
  } catch (cause) {
    throw named(source.path, cause);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * `readPart` for a small file on a disk that answers at once: without the way through the thread pool, which
 * costs more than the reading. Whether it changed meanwhile is for `checkSourceSync` to find out, once
 * storage has it.
 */
export function readPartSync(source: KnownSource, buffer: Buffer, wanted: WantedSums): ReadPart {
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
    return { bytes, ...sumsOf(bytes, wanted), identity };
  } catch (cause) {
    throw named(source.path, cause);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Compares what is at the path now, which may be another file by now. Throws like `readPart`, or the signal's
 * reason.
 */
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
    throw named(path, cause);
  }
}

/** `checkSource`, at once. */
export function checkSourceSync(source: KnownSource): FileIdentity {
  try {
    return meet(source, statSync(source.path), source.path);
  } catch (cause) {
    throw named(source.path, cause);
  }
}

/** Opens it for reading, not through a link. Throws like `readPart`. */
export function openSource(path: string): number {
  try {
    if (looksForLinks) refuseLink(path, lstatSync(path));
    return openSync(path, readFlags);
  } catch (cause) {
    throw named(path, cause);
  }
}

/** What an open file is, where it still is the source. Throws like `readPart`. */
export function meetSource(source: KnownSource, descriptor: number): FileIdentity {
  try {
    return meet(source, fstatSync(descriptor), descriptor);
  } catch (cause) {
    throw named(source.path, cause);
  }
}

function refuseLink(path: string, found: Stats): void {
  if (found.isSymbolicLink()) throw changed(path);
}

/** What is there, where it is still the source. */
function meet(source: KnownSource, found: Stats, at: FileHandle | number | string): FileIdentity {
  if (!found.isFile() || found.size !== source.size || found.mtimeMs !== source.mtimeMs)
    throw changed(source.path);
  const identity = identityOf(found, () =>
    typeof at === 'string'
      ? statSync(at, { bigint: true })
      : fstatSync(typeof at === 'number' ? at : at.fd, { bigint: true }),
  );
  if (source.identity && !isSameFile(source.identity, identity)) throw new SourceReplaced(identity);
  return identity;
}

/** Where size and time alone are known, they alone are compared with the end of the reading. */
function asRead(source: KnownSource, identity: FileIdentity): KnownSource {
  return source.identity ? { ...source, identity } : source;
}

/** The error of a file that is not what it was. */
export function changed(path: string, cause?: unknown): TileliftError {
  return new TileliftError('source-changed', { subject: path, cause });
}

/** What it throws says which file it is about, as `readPart` does. */
export async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw named(path, cause);
  }
}

function named(path: string, cause: unknown): unknown {
  if (cause instanceof TileliftError || cause instanceof SourceReplaced) return cause;
  return isGone(cause)
    ? changed(path, cause)
    : new TileliftError('source-unreadable', { subject: path, cause });
}
