import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

/** Pictures that documents show, by the name they have there. */
const shown: ReadonlyMap<string, string> = new Map([
  ['uploads/details-harbour-light-1440x900.png', 'uploads.png'],
  ['uploads/busy-dark-900x600.png', 'uploads-dark.png'],
  ['new-asset/lacking-light-900x600.png', 'new-asset.png'],
  ['watch/sources-light-1440x900.png', 'watched-folders.png'],
  ['watch/rule-new-found-dark-900x600.png', 'rule.png'],
  ['assets/few-light-900x600.png', 'assets.png'],
  ['settings/policy-dark-900x600.png', 'settings.png'],
  ['components.png', 'components.png'],
]);

/** Pictures in the repository stay small, bytes. */
const largest = 150_000;

/** Keeps a picture for the documents, with a palette, where they show it. `file`: as it is called among all pictures. */
export async function keepForDocs(output: string, file: string): Promise<void> {
  const name = shown.get(file);
  if (name === undefined) return;
  await mkdir(folder, { recursive: true });
  const kept = join(folder, name);
  await sharp(join(output, file)).png({ palette: true, effort: 10, compressionLevel: 9 }).toFile(kept);
  const { size } = await stat(kept);
  if (size > largest) throw new Error(`${kept} has ${size} bytes, more than ${largest}.`);
}
