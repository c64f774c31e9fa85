import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { scanSource } from '../../main/files/walk/scan.ts';
import type { Control } from '../../test/service/model.ts';

/** Compares an asset's objects with the source. Throws if a byte differs or a file is missing. */
export async function compareWithStorage(control: Control, assetId: number, source: string): Promise<number> {
  const prefix = `sources/${assetId}/`;
  const storedObjects = new Map((await control.objects(prefix)).map((object) => [object.key, object]));
  const { files } = await scanSource([source]);
  for (const file of files) {
    const object = storedObjects.get(prefix + file.key);
    if (!object) throw new Error(`Storage lacks ${file.key}`);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file.path), hash);
    if (hash.digest('hex') !== object.sha256) throw new Error(`Storage holds other bytes than ${file.path}`);
  }
  if (storedObjects.size !== files.length)
    throw new Error(`Storage holds ${storedObjects.size} objects for ${files.length} files`);
  return files.length;
}

/** Saves an asset's objects to a folder, by key below its prefix. */
export async function saveObjects(control: Control, assetId: number, folder: string): Promise<void> {
  const prefix = `sources/${assetId}/`;
  for (const { key } of await control.objects(prefix)) {
    const file = join(folder, key.slice(prefix.length));
    await mkdir(dirname(file), { recursive: true });
    await pipeline(Readable.from(control.readObject(key)), createWriteStream(file));
  }
}
