import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { identityOf, isGone, isSameFile, readFlags } from '../files/file-identity.ts';
import { multipartEtag } from '../storage/etag.ts';
import { countParts, partRange } from './plan.ts';

/** A file whose storage ETag is computed locally. */
export interface ChecksumTask {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly partSize: number;
  /** Default: MD5, as storage uses. Other algorithms require a single part. */
  readonly algorithm?: 'md5' | 'sha1' | 'sha256' | 'sha512';
}

/** Null: the file is missing, replaced, or changed during the read. */
export type Checksum = string | null;

/** Read size in bytes; a piece stays in the CPU cache while it is hashed. */
const pieceBytes = 1024 * 1024;

/**
 * Returns the ETag that storage would give: the MD5 (hex), or for several parts the MD5 of their MD5s, `-`
 * and the count. Doesn't follow links; compares the file's identity before and after.
 *
 * @param onBytes called for every piece
 * @throws the system's error if the file can't be read
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
    const identityBefore = await identityIn(handle, task);
    if (!identityBefore) return null;
    const md5s: string[] = [];
    const count = countParts(task.size, task.partSize);
    const buffer = Buffer.alloc(Math.min(pieceBytes, task.size));
    for (let number = 1; number <= count; number++) {
      const { offset, length } = partRange(task.size, task.partSize, number);
      const hash = createHash(task.algorithm ?? 'md5');
      for (let hashedBytes = 0; hashedBytes < length; ) {
        const max = Math.min(pieceBytes, length - hashedBytes);
        const { bytesRead } = await handle.read(buffer, 0, max, offset + hashedBytes);
        if (bytesRead === 0) return null;
        hash.update(buffer.subarray(0, bytesRead));
        hashedBytes += bytesRead;
        onBytes(bytesRead);
      }
      md5s.push(hash.digest('hex'));
    }
    const identityAfter = await identityIn(handle, task);
    if (!identityAfter || !isSameFile(identityBefore, identityAfter)) return null;
    return count === 1 ? (md5s[0] ?? null) : multipartEtag(md5s);
  } finally {
    await handle.close();
  }
}

async function identityIn(handle: FileHandle, { size, mtimeMs }: ChecksumTask) {
  const exact = await handle.stat({ bigint: true });
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size !== size || stats.mtimeMs !== mtimeMs) return null;
  return identityOf(stats, () => exact);
}
