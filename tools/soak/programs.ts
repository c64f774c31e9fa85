import { createHash } from 'node:crypto';
import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { las, tiff } from '../../test/deliveries/data.ts';
import { finished, longPause, openIn, uniqueText, type Writer, writeIn } from './desk.ts';

/** Programs, servers and systems, as they really write; times in ms. */

/** Time of files from an archive or a camera without a set clock. */
const oldTime = Date.parse('2025-03-01T12:00:00Z');
const hourMs = 60 * 60_000;

/** A server's user writes SFTP uploads, which stall; we can't see that the file is open. */
export const sftpWithStalls: Writer = async (name, desk, chance) => {
  const bytes = las(chance.between(50_000, 200_000));
  desk.bytes(64).copy(bytes, 227);
  const pieces = chance.between(2, 3);
  const path = join(desk.landings, name, 'scan.las');
  for (let piece = 0; piece < pieces; piece++) {
    const start = Math.floor((bytes.length * piece) / pieces);
    const file = await openIn(desk, path, piece === 0 ? 'w' : 'r+');
    await file.write(bytes, start, Math.floor((bytes.length * (piece + 1)) / pieces) - start, start);
    await file.close();
    if (piece < pieces - 1) await pause(longPause(chance));
  }
  finished(desk, name, new Map([['scan.las', bytes]]));
};

/** rsync writes a dotfile with a suffix of six letters next to the target. */
export const rsync: Writer = async (name, desk, chance) => {
  const files = new Map(
    [1, 2].map((number) => [`part${number}.laz`, desk.bytes(chance.between(200, 900) * 1_000)]),
  );
  for (const [key, bytes] of files) {
    const temporary = join(desk.landings, name, `.${key}.Qx81Zk`);
    const file = await openIn(desk, temporary);
    await file.write(bytes, 0, bytes.length / 2);
    await pause(longPause(chance) / 2);
    await file.write(bytes, bytes.length / 2);
    await file.close();
    await desk.drive.use(() => rename(temporary, join(desk.landings, name, key)));
  }
  finished(desk, name, files);
};

/** Robocopy sets the full size first, then writes the bytes, and sets the old time at the end. */
export const robocopy: Writer = async (name, desk, chance) => {
  const bytes = tiff(uniqueText(desk, chance.between(500, 2_000) * 1_000));
  const path = join(desk.landings, name, 'ortho.tif');
  const file = await openIn(desk, path);
  await file.truncate(bytes.length);
  await pause(chance.between(500, 4_000));
  for (let position = 0; position < bytes.length; position += 400_000) {
    await file.write(bytes, position, Math.min(400_000, bytes.length - position), position);
    await pause(300);
  }
  await file.close();
  await desk.drive.use(() => utimes(path, oldTime / 1_000, oldTime / 1_000));
  finished(desk, name, new Map([['ortho.tif', bytes]]));
};

/** QGIS and ArcGIS write files next to a viewed result, which isn't a new version. */
export const lookAtResult: Writer = async (_name, desk, chance) => {
  const choices = desk.settledSources().filter(({ versions }) => versions.at(-1)?.has('ortho.tif'));
  if (choices.length === 0) return;
  const { name } = chance.pick(choices);
  const sidecarName = chance.pick(['ortho.tif.aux.xml', 'ortho.tif.ovr', 'ortho.qmd', 'ortho.tif.sr.lock']);
  await desk.drive.use(() => writeFile(join(desk.landings, name, sidecarName), desk.bytes(4_000)));
};

/**
 * Tiles with equal sizes and the time of their archive; the previous one is removed before the next arrives.
 */
export const equalTiles: Writer = async (name, desk, chance) => {
  const choices = desk.settledSources().filter((source) => source.versions.at(-1)?.has(`${source.name}.tif`));
  const bytes = tiff(uniqueText(desk, 50_000));
  const partialFile = join(desk.tiles, `${name}.tif.part`);
  await desk.drive.use(async () => {
    if (choices.length > 0) await rm(join(desk.tiles, `${chance.pick(choices).name}.tif`), { force: true });
    await writeFile(partialFile, bytes);
    await utimes(partialFile, oldTime / 1_000, oldTime / 1_000);
    await rename(partialFile, join(desk.tiles, `${name}.tif`));
  });
  finished(desk, name, new Map([[`${name}.tif`, bytes]]));
};

let radarHours = 0;
let isRadarOut = false;

/**
 * A product replaces the previous hour's with the same name and size, but only after that has become an
 * asset.
 */
export const hourlyProduct: Writer = async (_name, desk) => {
  const knownSource = desk.expectedSources.get('radar');
  if (isRadarOut || (knownSource && !desk.settledSources().includes(knownSource))) return;
  isRadarOut = true;
  try {
    const bytes = tiff(uniqueText(desk, 30_000));
    const partialFile = join(desk.tiles, 'radar.tif.part');
    const time = (oldTime + ++radarHours * hourMs) / 1_000;
    await desk.drive.use(async () => {
      await writeFile(partialFile, bytes);
      await utimes(partialFile, time, time);
      await rename(partialFile, join(desk.tiles, 'radar.tif'));
    });
    finished(desk, 'radar', new Map([['radar.tif', bytes]]));
  } finally {
    isRadarOut = false;
  }
};

/** An archive in three parts with long pauses; its header gives the total length. */
export const archiveInParts: Writer = async (name, desk, chance) => {
  const lengths = [1, 2, 3].map(() => chance.between(100, 400) * 1_000);
  const offsetOf = (index: number) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0);
  const wholeFile = desk.bytes(offsetOf(3));
  wholeFile.write('7z\xbc\xaf\x27\x1c', 0, 'latin1');
  wholeFile.writeBigUInt64LE(BigInt(wholeFile.length - 32 - 100), 12);
  wholeFile.writeBigUInt64LE(100n, 20);
  const files = new Map(
    lengths.map((_, index) => [
      `${name}.7z.00${index + 1}`,
      wholeFile.subarray(offsetOf(index), offsetOf(index + 1)),
    ]),
  );
  for (const [key, bytes] of files) {
    await writeIn(desk, join(desk.archives, key), bytes);
    await pause(key.endsWith('2') ? longPause(chance) : chance.between(500, 3_000));
  }
  finished(desk, `${name}.7z`, files);
};

/** Junk files of systems and users, which neither become nor change an asset. */
export const leaveJunk: Writer = async (name, desk, chance) => {
  const candidates = desk.settledSources().filter(({ versions }) => versions.at(-1)?.has('positions.csv'));
  const folder = chance.pick([
    '#recycle',
    '$RECYCLE.BIN/S-1-5-21',
    '.snapshot/hourly.0',
    '#snapshot/GMT-2024.11.21',
    '@eaDir',
    'lost+found',
    '.Trash-1000/files',
  ]);
  const sidecarName = chance.pick([
    'Lies_mich.txt',
    'report.pdf',
    '._DJI_0001.jpg',
    'desktop.ini',
    'metadata.csv',
    'Flug.MRK',
    `${name}.zip.crdownload`,
  ]);
  const places = [
    join(desk.landings, folder, `${name}.tif`),
    join(desk.landings, sidecarName),
    join(desk.flights, '2024/11', folder, name, 'DJI_0001.jpg'),
    join(desk.flights, '2024/11', folder, name, '_SUCCESS'),
    join(desk.shared, folder, name, 'a.jpg'),
    join(desk.tiles, folder, `${name}.tif`),
  ];
  if (candidates.length > 0) {
    const { name: sourceName } = chance.pick(candidates);
    places.push(
      join(desk.landings, sourceName, '@eaDir/thumb.jpg'),
      join(desk.landings, sourceName, '.DS_Store'),
    );
  }
  for (const place of places) await writeIn(desk, place, desk.bytes(500));
};

/** A checksum list comes first, its files after a long pause. */
export const listOfSums: Writer = async (name, desk, chance) => {
  const files = new Map(
    [1, 2, 3].map((number) => [`tile_${number}.laz`, desk.bytes(chance.between(50, 300) * 1_000)]),
  );
  const sums = [...files].map(
    ([key, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${key}\n`,
  );
  const allFiles = new Map([['SHA256SUMS', Buffer.from(sums.join(''))], ...files]);
  for (const [key, bytes] of allFiles) {
    await writeIn(desk, join(desk.landings, name, key), bytes);
    if (key === 'tile_1.laz') await pause(longPause(chance));
  }
  finished(desk, name, allFiles);
};
