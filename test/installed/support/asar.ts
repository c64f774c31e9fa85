import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A file in an archive, with the facts that Electron checks. */
interface PackedFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** Whether the content matches the hash in the archive. */
  readonly intact: boolean;
}

const fileSchema = z.object({
  size: z.number(),
  offset: z.string(),
  integrity: z.object({ algorithm: z.literal('SHA256'), hash: z.string() }),
});
type File = z.infer<typeof fileSchema>;
interface Folder {
  readonly files: Record<string, File | Folder>;
}
const folderSchema: z.ZodType<Folder> = z.object({
  files: z.lazy(() => z.record(z.string(), z.union([fileSchema, folderSchema]))),
});

/** The JSON at the beginning of an archive. */
const headerOf = (whole: Buffer) => whole.subarray(16, 16 + whole.readUInt32LE(12));

/**
 * SHA-256 of the header, which contains all file hashes. Electron compares it with the value in the
 * executable.
 */
export const hashOfHeader = (archive: string) =>
  createHash('sha256')
    .update(headerOf(readFileSync(archive)))
    .digest('hex');

/**
 * Everything in an asar archive, sorted. The layout is four 32-bit numbers, the header's JSON and the files.
 * The second number is the size of the header from the third on, the fourth that of its JSON.
 */
export function readAsar(archive: string): readonly PackedFile[] {
  const whole = readFileSync(archive);
  const begin = 8 + whole.readUInt32LE(4);
  const header = folderSchema.parse(JSON.parse(headerOf(whole).toString('utf8')));
  const files = (folder: Folder, above: string): PackedFile[] =>
    Object.entries(folder.files).flatMap(([name, entry]) => {
      const path = `${above}${name}`;
      if ('files' in entry) return files(entry, `${path}/`);
      const at = begin + Number(entry.offset);
      const bytes = whole.subarray(at, at + entry.size);
      const intact = createHash('sha256').update(bytes).digest('hex') === entry.integrity.hash;
      return [{ path, bytes, intact }];
    });
  return files(header, '').sort((a, b) => (a.path < b.path ? -1 : 1));
}
