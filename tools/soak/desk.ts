import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Chance } from '../chaos/random.ts';
import type { RemovableDrive } from './drive.ts';
import { type ExpectedSource, manifestOf } from './expected.ts';
import type { SoakFolders } from './rules.ts';

/** Folders of the writers, and the record of their finished sources. */
export interface WriterDesk extends SoakFolders {
  readonly drive: RemovableDrive;
  readonly expectedSources: Map<string, ExpectedSource>;
  readonly bytes: (length: number) => Buffer;
  /** Sources whose newest version is a complete asset, so they may be changed. */
  readonly settledSources: () => readonly ExpectedSource[];
}

/** Writes or changes one source like a certain program or person. */
export type Writer = (name: string, desk: WriterDesk, chance: Chance) => Promise<void>;

/** Opens a file after creating its folders; never on an unplugged drive. */
export async function openIn(desk: WriterDesk, path: string, flags = 'w') {
  return desk.drive.use(async () => {
    await mkdir(dirname(path), { recursive: true });
    return open(path, flags);
  });
}

/** Writes a whole file; never on an unplugged drive. */
export async function writeIn(desk: WriterDesk, path: string, bytes: Uint8Array): Promise<void> {
  await desk.drive.use(async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  });
}

/** Records a complete version of a source. */
export function finished(desk: WriterDesk, name: string, files: ReadonlyMap<string, Uint8Array>): void {
  const knownSource = desk.expectedSources.get(name);
  if (knownSource) knownSource.versions.push(manifestOf(files));
  else desk.expectedSources.set(name, { name, versions: [manifestOf(files)] });
}

/** Bytes that are unique in this run and not recognizable as a known format. */
export const uniqueText = (desk: WriterDesk, length: number) => desk.bytes(length).toString('latin1');

/** A structurally complete JPEG: header, noise as its scan, and end marker (ISO/IEC 10918-1, annex B). */
export function jpeg(desk: Pick<WriterDesk, 'bytes'>, size: number): Buffer {
  const bytes = desk.bytes(size);
  // 0xff would begin a marker in a scan.
  for (let position = bytes.indexOf(0xff); position >= 0; position = bytes.indexOf(0xff, position + 1))
    bytes[position] = 0xfe;
  bytes.write('ffd8ffda0002', 'hex');
  bytes.writeUInt16BE(0xffd9, size - 2);
  return bytes;
}

/** Longer than the settle time of 10 s; ms. */
export const longPause = (chance: Chance) => chance.between(12_000, 18_000);
