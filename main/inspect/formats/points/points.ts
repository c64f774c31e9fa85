import { type FileBytes, readUint } from '../base/file-bytes.ts';
import type { Verdict } from '../base/format.ts';

/** ASTM E2807: the header states the length in whole pages and locates the XML. */
export async function e57End(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('ASTM-E57'))) return 'otherFormat';
  const header = await file.read(0, 48);
  const [length, xmlAt, xmlLength] = [
    readUint(header, 16, 8),
    readUint(header, 24, 8),
    readUint(header, 32, 8),
  ];
  if (length === 0 || xmlAt === 0) return 'noDirectory';
  file.requireRange(0, length);
  file.requireRange(xmlAt, xmlLength);
  return null;
}
