import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { identityOf, isGone, isSameFile, readFlags } from '../files/file-identity.ts';
import { multipartEtag } from '../storage/etag.ts';
import { countParts, partRange } from './plan.ts';

/** A file of which the ETag is wanted that storage would give it. */
export interface ChecksumTask {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  /** Bytes of every part but the last. */
  readonly partSize: number;
  /** Default: MD5, as storage. Another one is of files in one part. */
  readonly algorithm?: 'md5' | 'sha1' | 'sha256' | 'sha512';
}

/** Null: the file is gone, is another one, or changed while it was read. */
export type Checksum = string | null;

/** Read in pieces of this size, which stay in the processor's cache while they are hashed. */
const pieceBytes = 1024 * 1024;

/**
 * The ETag that storage gives to these bytes: their MD5 (hex), of several parts the MD5 of the parts' MD5s,
 * `-` and their count. The file is not opened through a link, and compared with what was asked for before and
 * after.
 *
 * @param onBytes told of every piece that was read
 * @throws the system's own errors, where it can't be read
 */
export async function checksumOf(task: ChecksumTask, onBytes: (bytes: number) => void): Promise<Checksum> {
  let handle: FileHandle;
  try {
    handle = await open(task.path, readFlags);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
  try {
    const before = await identityIn(handle, task);
    if (!before) return null;
    const md5s: string[] = [];
    const count = countParts(task.size, task.partSize);
    const buffer = Buffer.alloc(Math.min(pieceBytes, task.size));
    for (let number = 1; number <= count; number++) {
      const { offset, length } = partRange(task.size, task.partSize, number);
      const hash = createHash(task.algorithm ?? 'md5');
      for (let done = 0; done < length; ) {
        const max = Math.min(pieceBytes, length - done);
        const { bytesRead } = await handle.read(buffer, 0, max, offset + done);
        if (bytesRead === 0) return null;
        hash.update(buffer.subarray(0, bytesRead));
        done += bytesRead;
        onBytes(bytesRead);
      }
      md5s.push(hash.digest('hex'));
    }
    const after = await identityIn(handle, task);
    if (!after || !isSameFile(before, after)) return null;
    return count === 1 ? (md5s[0] ?? null) : multipartEtag(md5s);
  } finally {
    await handle.close();
  }
}

/** Null where it is not what was asked for. */
async function identityIn(handle: FileHandle, { size, mtimeMs }: ChecksumTask) {
  const exact = await handle.stat({ bigint: true });
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size !== size || stats.mtimeMs !== mtimeMs) return null;
  return identityOf(stats, () => exact);
}
