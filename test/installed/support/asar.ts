import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A file in an archive: its content, and what the archive says of it for Electron's own check. */
interface PackedFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** Whether the content is what the archive's own hash says. */
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

/** The JSON that an archive begins with. */
const headerOf = (whole: Buffer) => whole.subarray(16, 16 + whole.readUInt32LE(12));

/**
 * What Electron compares with what the executable says of its archive: SHA-256 of the header, which has the
 * hashes of all files.
 */
export const hashOfHeader = (archive: string) =>
  createHash('sha256')
    .update(headerOf(readFileSync(archive)))
    .digest('hex');

/**
 * Everything in an asar archive, sorted. Its layout: four numbers of 32 bits, of which the second is the size
 * of the header from the third on and the fourth that of the header's JSON; then the files, one after the
 * other.
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
