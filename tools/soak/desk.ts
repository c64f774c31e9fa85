import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Chance } from '../chaos/random.ts';
import type { Drive } from './drive.ts';
import { type Expected, manifestOf } from './expected.ts';
import type { SoakFolders } from './rules.ts';

/** Where writers write, and where they put down what they have finished. */
export interface Desk extends SoakFolders {
  readonly drive: Drive;
  readonly expected: Map<string, Expected>;
  readonly bytes: (length: number) => Buffer;
  /** Sources whose newest version is a complete asset: these may be changed. */
  readonly settled: () => readonly Expected[];
}

/** Writes one source, or changes one, the way some program or person does it. */
export type Writer = (name: string, desk: Desk, chance: Chance) => Promise<void>;

/** Opens a file, with the folders that it is in; never on a drive that is unplugged. */
export async function openIn(desk: Desk, path: string, flags = 'w') {
  return desk.drive.use(async () => {
    await mkdir(dirname(path), { recursive: true });
    return open(path, flags);
  });
}

/** Writes a whole file, likewise. */
export async function writeIn(desk: Desk, path: string, bytes: Uint8Array): Promise<void> {
  await desk.drive.use(async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  });
}

/** Puts down that a version of a source is whole. */
export function finished(desk: Desk, name: string, files: ReadonlyMap<string, Uint8Array>): void {
  const known = desk.expected.get(name);
  if (known) known.versions.push(manifestOf(files));
  else desk.expected.set(name, { name, versions: [manifestOf(files)] });
}

/** Bytes that no other file of this run has, and no text tool would take for something else. */
export const unique = (desk: Desk, length: number) => desk.bytes(length).toString('latin1');

/**
 * A picture's head, noise for its scan, and the marker of its end (ISO/IEC 10918-1, annex B): whole, though
 * nobody would see anything.
 */
export function jpeg(desk: Pick<Desk, 'bytes'>, size: number): Buffer {
  const bytes = desk.bytes(size);
  // In a scan it would begin a marker.
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) bytes[at] = 0xfe;
  bytes.write('ffd8ffda0002', 'hex');
  bytes.writeUInt16BE(0xffd9, size - 2);
  return bytes;
}

/** Longer than the settle time of every day, 10 s; in ms. */
export const longPause = (chance: Chance) => chance.between(12_000, 18_000);
