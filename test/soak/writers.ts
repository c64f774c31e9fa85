import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../chaos/random.ts';
import type { Drive } from './drive.ts';
import { type Expected, manifestOf } from './expected.ts';

/** Where writers write, and where they put down what they have finished. */
export interface Desk {
  readonly drive: Drive;
  /** Each folder in it is a source; it stays where it is. */
  readonly landings: string;
  /** Each `.xyz` file in it is a source; it is moved to `done`. */
  readonly scans: string;
  readonly expected: Map<string, Expected>;
  readonly bytes: (length: number) => Buffer;
  /** Sources whose newest version is a complete asset: these may be changed. */
  readonly settled: () => readonly Expected[];
}

/** Writes one source, or changes one, the way some program or person does it. */
export type Writer = (name: string, desk: Desk, chance: Chance) => Promise<void>;

const kilobyte = 1000;
const megabyte = 1000 * kilobyte;

/** A camera's card copied over a slow line: one file after the other at a megabyte a second. */
const copySlowly: Writer = async (name, desk, chance) => {
  const files = new Map([
    ['DJI_0001.jpg', jpeg(desk, chance.between(2, 30) * megabyte)],
    ['sub/DJI_0002.jpg', jpeg(desk, chance.between(1, 8) * megabyte)],
    ['positions.csv', desk.bytes(40 * kilobyte)],
  ]);
  for (const [key, bytes] of files) {
    const file = await openIn(desk, join(desk.landings, name, key));
    for (let at = 0; at < bytes.length; at += megabyte / 4) {
      await file.write(bytes, at, Math.min(megabyte / 4, bytes.length - at), at);
      await pause(250);
    }
    await file.close();
  }
  finished(desk, name, files);
};

/** Files that have their full size from the first moment and are filled later, with a pause longer than the settle time. */
const fillLater: Writer = async (name, desk, chance) => {
  const bytes = desk.bytes(chance.between(4, 16) * megabyte);
  const file = await openIn(desk, join(desk.landings, name, 'mosaic.img'));
  await file.truncate(bytes.length);
  const long = chance.between(1, 3);
  for (let at = 0, piece = 0; at < bytes.length; at += megabyte, piece++) {
    await pause(piece === long ? 14_000 : chance.between(200, 2_000));
    await file.write(bytes, at, Math.min(megabyte, bytes.length - at), at);
  }
  await file.close();
  finished(desk, name, new Map([['mosaic.img', bytes]]));
};

/** Downloaded under another name, renamed when it is whole. */
const renameWhenWhole: Writer = async (name, desk, chance) => {
  const files = new Map([['scan.e57', desk.bytes(chance.between(1, 6) * megabyte)]]);
  const folder = join(desk.landings, name);
  for (const [key, bytes] of files) {
    const file = await openIn(desk, join(folder, `${key}.part`));
    for (let at = 0; at < bytes.length; at += megabyte) {
      await file.write(bytes, at, Math.min(megabyte, bytes.length - at), at);
      await pause(chance.between(100, 1_500));
    }
    await file.close();
    await desk.drive.use(() => rename(join(folder, `${key}.part`), join(folder, key)));
  }
  finished(desk, name, files);
};

/** A scanner writes a file and its sidecar. */
const scanFile: Writer = async (name, desk, chance) => {
  const files = new Map([
    [`${name}.prj`, Buffer.from('EPSG:25832')],
    [`${name}.xyz`, desk.bytes(chance.between(1, 4) * megabyte)],
  ]);
  for (const [key, bytes] of files) {
    const file = await openIn(desk, join(desk.scans, key));
    for (let at = 0; at < bytes.length; at += megabyte / 2) {
      await file.write(bytes, at, Math.min(megabyte / 2, bytes.length - at), at);
      await pause(300);
    }
    await file.close();
  }
  finished(desk, name, files);
};

/** Somebody opens what has become an asset, changes one file the way editors save, and adds another. */
const edit: Writer = async (_name, desk, chance) => {
  const choices = desk.settled().filter(({ versions }) => versions.at(-1)?.has('positions.csv'));
  if (choices.length === 0) return;
  const source = chance.pick(choices);
  const before = source.versions.at(-1);
  const folder = join(desk.landings, source.name);
  const positions = desk.bytes(41 * kilobyte);
  const notes = desk.bytes(3 * kilobyte);
  await desk.drive.use(async () => {
    await writeFile(join(folder, '.positions.csv.tmp'), positions);
    await rename(join(folder, '.positions.csv.tmp'), join(folder, 'positions.csv'));
    await writeFile(join(folder, 'notes.txt'), notes);
  });
  const changed = manifestOf(
    new Map([
      ['positions.csv', positions],
      ['notes.txt', notes],
    ]),
  );
  source.versions.push(new Map([...(before ?? []), ...changed]));
};

/** Somebody tidies up: the same data under another name is no new asset. */
const giveAnotherName: Writer = async (_name, desk, chance) => {
  const choices = desk.settled().filter(({ versions }) => versions.at(-1)?.has('scan.e57'));
  if (choices.length === 0) return;
  const { name } = chance.pick(choices);
  const from = join(desk.landings, name);
  await desk.drive.use(async () => {
    await rename(from, `${from} checked`).catch((error) => {
      // It was renamed before.
      if (error.code !== 'ENOENT') throw error;
    });
  });
};

/** What writers do, and how often. */
export const writers: readonly (readonly [weight: number, writer: Writer])[] = [
  [4, copySlowly],
  [3, fillLater],
  [3, renameWhenWhole],
  [4, scanFile],
  [3, edit],
  [2, giveAnotherName],
];

/** An export drops many folders at once. */
export async function burst(count: number, desk: Desk): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const name = `burst-${String(number).padStart(4, '0')}`;
    const files = new Map([
      ['a.jpg', jpeg(desk, 20 * kilobyte)],
      ['b.jpg', jpeg(desk, 10 * kilobyte)],
    ]);
    await desk.drive.use(async () => {
      await mkdir(join(desk.landings, name), { recursive: true });
      for (const [key, bytes] of files) await writeFile(join(desk.landings, name, key), bytes);
    });
    finished(desk, name, files);
  }
}

async function openIn(desk: Desk, path: string) {
  return desk.drive.use(async () => {
    await mkdir(dirname(path), { recursive: true });
    return open(path, 'w');
  });
}

function finished(desk: Desk, name: string, files: ReadonlyMap<string, Uint8Array>): void {
  const known = desk.expected.get(name);
  if (known) known.versions.push(manifestOf(files));
  else desk.expected.set(name, { name, versions: [manifestOf(files)] });
}

/** Noise between the two markers that say where a JPEG begins and ends. */
function jpeg(desk: Desk, size: number): Buffer {
  const bytes = desk.bytes(size);
  bytes.writeUInt16BE(0xffd8, 0);
  bytes.writeUInt16BE(0xffd9, size - 2);
  return bytes;
}
