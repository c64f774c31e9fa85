import { createHash } from 'node:crypto';
import type { SourceFile } from './model.ts';

type Facts = Pick<SourceFile, 'key' | 'size' | 'mtimeMs'>;

/** Of keys, sizes and modification times (whole ms), in no particular order: the same for two scans that found the same. 64 hex digits. */
export function fingerprintOf(files: readonly Facts[]): string {
  const hash = createHash('sha256');
  const lines = files.map(({ key, size, mtimeMs }) => `${key}\0${size}\0${Math.floor(mtimeMs)}\n`);
  for (const line of lines.sort()) hash.update(line);
  return hash.digest('hex');
}
