import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tiff } from '../../test/deliveries/data.ts';
import type { Chance } from '../chaos/random.ts';
import { finished, jpeg, longPause, uniqueText, type Writer, type WriterDesk, writeIn } from './desk.ts';

/** Deliveries that signal their completion. Before, they look complete for longer than the settle time. */

const photo = (desk: WriterDesk, chance: Chance) => jpeg(desk, chance.between(20, 200) * 1_000);
const emptyBuffer = Buffer.alloc(0);

/** A drone base sorts its flights by day; `_SUCCESS` in a folder marks a complete flight. */
export const flightOfTheDay: Writer = async (name, desk, chance) => {
  const day = `2024/11/${chance.between(10, 29)}`;
  const folder = join(desk.flights, day, name);
  const files = new Map([
    ['DJI_0001.jpg', photo(desk, chance)],
    ['raw/DJI_0002.jpg', photo(desk, chance)],
    ['raw/DJI_0003.jpg', photo(desk, chance)],
  ]);
  await writeIn(desk, join(desk.flights, day, 'notes.txt'), desk.bytes(200));
  for (const [key, bytes] of files) {
    await writeIn(desk, join(folder, key), bytes);
    if (key.startsWith('DJI')) await pause(longPause(chance));
  }
  finished(desk, name, files);
  await writeIn(desk, join(folder, '_SUCCESS'), emptyBuffer);
};

/** An orthophoto is written twice, a preview first; `a.tif.ok` marks the final one. */
export const fileWithMarker: Writer = async (name, desk, chance) => {
  const path = join(desk.marked, `${name}.tif`);
  await writeIn(desk, path, tiff(uniqueText(desk, 10_000)));
  await pause(longPause(chance));
  const bytes = tiff(uniqueText(desk, chance.between(100, 600) * 1_000));
  await writeIn(desk, path, bytes);
  finished(desk, name, new Map([[`${name}.tif`, bytes]]));
  await writeIn(desk, `${path}.ok`, emptyBuffer);
};

/** A folder gets another picture after a pause; `flight.ready` next to it marks its end. */
export const folderWithMarker: Writer = async (name, desk, chance) => {
  const files = new Map([
    ['one.jpg', photo(desk, chance)],
    ['two.jpg', photo(desk, chance)],
  ]);
  for (const [key, bytes] of files) {
    await writeIn(desk, join(desk.ready, name, key), bytes);
    if (key === 'one.jpg') await pause(longPause(chance));
  }
  finished(desk, name, files);
  await writeIn(desk, join(desk.ready, `${name}.ready`), Buffer.from('ready\n'));
};

const sum = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest('hex');

/** A checksum list comes last, in the folder or next to it; sometimes a damaged file is sent again. */
export const listLast: Writer = async (name, desk, chance) => {
  const files = new Map([1, 2, 3].map((number) => [`DJI_000${number}.jpg`, photo(desk, chance)]));
  const isDamaged = chance.next() < 0.5;
  for (const [key, bytes] of files) {
    const sentBytes = isDamaged && key === 'DJI_0002.jpg' ? jpeg(desk, bytes.length) : bytes;
    await writeIn(desk, join(desk.checked, name, key), sentBytes);
    if (key === 'DJI_0001.jpg') await pause(longPause(chance));
  }
  const isBeside = chance.next() < 0.5;
  const [algorithm, place] = isBeside
    ? (['md5', `${name}.md5`] as const)
    : (['sha256', `${name}/SHA256SUMS`] as const);
  const lines = [...files].map(
    ([key, bytes]) => `${sum(algorithm, bytes)}  ${isBeside ? `${name}/` : ''}${key}\n`,
  );
  const list = Buffer.from(lines.join(''));
  if (!isDamaged) putDown();
  await writeIn(desk, join(desk.checked, place), list);
  if (!isDamaged) return;
  await pause(longPause(chance));
  putDown();
  await writeIn(desk, join(desk.checked, name, 'DJI_0002.jpg'), files.get('DJI_0002.jpg') ?? emptyBuffer);

  function putDown(): void {
    finished(desk, name, isBeside ? files : new Map([...files, ['SHA256SUMS', list]]));
  }
};

/** Two computers with the same settings watch the folder. */
export const intoShared: Writer = async (name, desk, chance) => {
  const files = new Map([
    ['a.jpg', photo(desk, chance)],
    ['b.jpg', photo(desk, chance)],
  ]);
  for (const [key, bytes] of files) {
    await writeIn(desk, join(desk.shared, name, key), bytes);
    await pause(chance.between(100, 3_000));
  }
  finished(desk, name, files);
};
