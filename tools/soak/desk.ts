import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Chance } from '../chaos/random.ts';
import type { Drive } from './drive.ts';
import { type Expected, manifestOf } from './expected.ts';
import type { SoakFolders } from './rules.ts';

/** Folders of the writers, and the record of their finished sources. */
export interface Desk extends SoakFolders {
  readonly drive: Drive;
  readonly expected: Map<string, Expected>;
  readonly bytes: (length: number) => Buffer;
  /** Sources whose newest version is a complete asset, so they may be changed. */
  readonly settled: () => readonly Expected[];
}

/** Writes or changes one source like a certain program or person. */
export type Writer = (name: string, desk: Desk, chance: Chance) => Promise<void>;

/** Opens a file after creating its folders; never on an unplugged drive. */
export async function openIn(desk: Desk, path: string, flags = 'w') {
  return desk.drive.use(async () => {
    await mkdir(dirname(path), { recursive: true });
    return open(path, flags);
  });
}

/** Writes a whole file; never on an unplugged drive. */
export async function writeIn(desk: Desk, path: string, bytes: Uint8Array): Promise<void> {
  await desk.drive.use(async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  });
}

/** Records a complete version of a source. */
export function finished(desk: Desk, name: string, files: ReadonlyMap<string, Uint8Array>): void {
  const known = desk.expected.get(name);
  if (known) known.versions.push(manifestOf(files));
  else desk.expected.set(name, { name, versions: [manifestOf(files)] });
}

/** Bytes that are unique in this run and not recognizable as a known format. */
export const unique = (desk: Desk, length: number) => desk.bytes(length).toString('latin1');

/** A structurally complete JPEG: header, noise as its scan, and end marker (ISO/IEC 10918-1, annex B). */
export function jpeg(desk: Pick<Desk, 'bytes'>, size: number): Buffer {
  const bytes = desk.bytes(size);
  // 0xff would begin a marker in a scan.
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) bytes[at] = 0xfe;
  bytes.write('ffd8ffda0002', 'hex');
  bytes.writeUInt16BE(0xffd9, size - 2);
  return bytes;
}

/** Longer than the settle time of 10 s; ms. */
export const longPause = (chance: Chance) => chance.between(12_000, 18_000);
