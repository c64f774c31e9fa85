import { extensionOf, stemOf } from './data-set.ts';
import { volumeSeriesIn } from './volumes.ts';

/** What must, and what may, are beside a file of a data set: by names alone. Pure. */

/** Esri, Shapefile Technical Description: the three files without which there is no shapefile. */
const shapefile = ['shx', 'dbf'];

/** Names of one folder that surely belong to files in it and are not there. */
export function missingBeside(names: readonly string[]): readonly string[] {
  const low = new Set(names.map((name) => name.toLowerCase()));
  const missing = volumeSeriesIn(names).flatMap((series) => series.missing);
  for (const name of names) {
    if (extensionOf(name) !== 'shp') continue;
    const stem = stemOf(name);
    for (const ending of shapefile)
      if (!low.has(`${stem}.${ending}`.toLowerCase())) missing.push(`${stem}.${ending}`);
  }
  return missing;
}

const cityModels = ['gml', 'citygml', 'xml'];
/** Photogrammetry: ContextCapture and iTwin write a small file beside the folder that holds all tiles. */
const reality = ['3mx', '3sm', 's3c'];

/**
 * Folders beside a file that belong to it whole: a city model's pictures, an FBX's textures, the tiles of a
 * reality mesh.
 */
export function foldersBeside(primary: string, folders: readonly string[]): readonly string[] {
  if (folders.length === 0) return folders;
  const extension = extensionOf(primary);
  const stem = stemOf(primary).toLowerCase();
  const named: string[] = [];
  if (cityModels.includes(extension)) named.push(`${stem}_appearance`, `${stem}_appearances`);
  if (extension === 'gml' || extension === 'citygml') named.push('appearance', 'appearances');
  if (extension === 'fbx') named.push(`${stem}.fbm`);
  const isReality = reality.includes(extension) || primary.toLowerCase() === 'metadata.xml';
  if (isReality) named.push('data');
  return folders.filter((folder) => named.includes(folder.toLowerCase()));
}
