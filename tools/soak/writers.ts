import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileWithMarker, flightOfTheDay, folderWithMarker, intoShared, listLast } from './deliveries.ts';
import { finished, jpeg, openIn, type Writer, type WriterDesk, writeIn } from './desk.ts';
import { type ExpectedSource, logOfFlight, manifestOf } from './expected.ts';
import {
  archiveInParts,
  equalTiles,
  hourlyProduct,
  leaveJunk,
  listOfSums,
  lookAtResult,
  robocopy,
  rsync,
  sftpWithStalls,
} from './programs.ts';

const kilobyte = 1000;
const megabyte = 1000 * kilobyte;

/** Copies a camera's card over a slow line: one file after the other at 1 MB/s. */
const copySlowly: Writer = async (name, desk, chance) => {
  const files = new Map([
    ['DJI_0001.jpg', jpeg(desk, chance.between(2, 30) * megabyte)],
    ['sub/DJI_0002.jpg', jpeg(desk, chance.between(1, 8) * megabyte)],
    ['positions.csv', desk.bytes(40 * kilobyte)],
  ]);
  await writeIn(desk, join(desk.landings, name, logOfFlight), desk.bytes(2 * kilobyte));
  for (const [key, bytes] of files) {
    const file = await openIn(desk, join(desk.landings, name, key));
    for (let position = 0; position < bytes.length; position += megabyte / 4) {
      await file.write(bytes, position, Math.min(megabyte / 4, bytes.length - position), position);
      await pause(250);
    }
    await file.close();
  }
  finished(desk, name, files);
};

/** Creates files with their full size and fills them after a pause beyond the settle time. */
const fillLater: Writer = async (name, desk, chance) => {
  const bytes = desk.bytes(chance.between(4, 16) * megabyte);
  const file = await openIn(desk, join(desk.landings, name, 'mosaic.img'));
  await file.truncate(bytes.length);
  const blockCount = chance.between(1, 3);
  for (let position = 0, piece = 0; position < bytes.length; position += megabyte, piece++) {
    await pause(piece === blockCount ? 14_000 : chance.between(200, 2_000));
    await file.write(bytes, position, Math.min(megabyte, bytes.length - position), position);
  }
  await file.close();
  finished(desk, name, new Map([['mosaic.img', bytes]]));
};

/** Downloads under a temporary name and renames the complete file. */
const renameWhenWhole: Writer = async (name, desk, chance) => {
  const files = new Map([['scan.laz', desk.bytes(chance.between(1, 6) * megabyte)]]);
  const folder = join(desk.landings, name);
  for (const [key, bytes] of files) {
    const file = await openIn(desk, join(folder, `${key}.part`));
    for (let position = 0; position < bytes.length; position += megabyte) {
      await file.write(bytes, position, Math.min(megabyte, bytes.length - position), position);
      await pause(chance.between(100, 1_500));
    }
    await file.close();
    await desk.drive.use(() => rename(join(folder, `${key}.part`), join(folder, key)));
  }
  finished(desk, name, files);
};

const scanFile: Writer = async (name, desk, chance) => {
  const files = new Map([
    [`${name}.prj`, Buffer.from('EPSG:25832')],
    [`${name}.xyz`, desk.bytes(chance.between(1, 4) * megabyte)],
  ]);
  for (const [key, bytes] of files) {
    const file = await openIn(desk, join(desk.scans, key));
    for (let position = 0; position < bytes.length; position += megabyte / 2) {
      await file.write(bytes, position, Math.min(megabyte / 2, bytes.length - position), position);
      await pause(300);
    }
    await file.close();
  }
  finished(desk, name, files);
};

/** Only one writer edits a source at a time. */
const beingEdited = new Set<ExpectedSource>();

/** Changes one file of an asset the way editors save, and adds another. */
const edit: Writer = async (_name, desk, chance) => {
  const choices = desk
    .settledSources()
    .filter((source) => source.versions.at(-1)?.has('positions.csv') && !beingEdited.has(source));
  if (choices.length === 0) return;
  const source = chance.pick(choices);
  beingEdited.add(source);
  const previousVersion = source.versions.at(-1);
  const folder = join(desk.landings, source.name);
  const positions = desk.bytes(41 * kilobyte);
  const notes = desk.bytes(3 * kilobyte);
  await desk.drive.use(async () => {
    await writeFile(join(folder, '.positions.csv.tmp'), positions);
    await rename(join(folder, '.positions.csv.tmp'), join(folder, 'positions.csv'));
    await writeFile(join(folder, 'notes.txt'), notes);
  });
  const changedVersion = manifestOf(
    new Map([
      ['positions.csv', positions],
      ['notes.txt', notes],
    ]),
  );
  source.versions.push(new Map([...(previousVersion ?? []), ...changedVersion]));
  beingEdited.delete(source);
};

/** Renames a source; the same data under another name aren't a new asset. */
const giveAnotherName: Writer = async (_name, desk, chance) => {
  const choices = desk.settledSources().filter(({ versions }) => versions.at(-1)?.has('scan.laz'));
  if (choices.length === 0) return;
  const { name } = chance.pick(choices);
  const movedPath = join(desk.landings, name);
  await desk.drive.use(async () => {
    await rename(movedPath, `${movedPath} checked`).catch((error) => {
      // Another writer renamed it before.
      if (error.code !== 'ENOENT') throw error;
    });
  });
};

export const writers: readonly (readonly [weight: number, writer: Writer])[] = [
  [4, copySlowly],
  [3, fillLater],
  [3, renameWhenWhole],
  [4, scanFile],
  [3, edit],
  [2, giveAnotherName],
  [3, sftpWithStalls],
  [2, rsync],
  [3, robocopy],
  [3, lookAtResult],
  [4, equalTiles],
  [3, hourlyProduct],
  [2, archiveInParts],
  [3, leaveJunk],
  [2, listOfSums],
  [4, flightOfTheDay],
  [3, fileWithMarker],
  [3, folderWithMarker],
  [4, listLast],
  [5, intoShared],
];

/** One source for each rule: written before the backup, and after its restore. */
export const oneForEach: readonly Writer[] = [
  copySlowly,
  scanFile,
  equalTiles,
  archiveInParts,
  flightOfTheDay,
  fileWithMarker,
  folderWithMarker,
  listLast,
  intoShared,
];

/** An export writes many folders at once. */
export async function burst(count: number, desk: WriterDesk): Promise<void> {
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
