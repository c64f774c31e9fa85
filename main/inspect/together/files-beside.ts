import { volumeSeriesIn } from '../completeness/volumes.ts';
import { extensionOf, stemOf } from './data-set.ts';

/** Mandatory files of a shapefile (Esri, Shapefile Technical Description). */
const shapefile = ['shx', 'dbf'];

/** Returns the missing names that files of this folder require. Pure. */
export function missingBeside(names: readonly string[]): readonly string[] {
  const low = new Set(names.map((name) => name.toLowerCase()));
  const missing = volumeSeriesIn(names).flatMap((series) => series.missing);
  for (const name of names) {
    if (extensionOf(name) !== 'shp') continue;
    const stem = stemOf(name);
    for (const extension of shapefile)
      if (!low.has(`${stem}.${extension}`.toLowerCase())) missing.push(`${stem}.${extension}`);
  }
  return missing;
}

const cityModels = ['gml', 'citygml', 'xml'];
/** ContextCapture and iTwin write a small file next to the folder with all tiles. */
const reality = ['3mx', '3sm', 's3c'];

/**
 * Returns folders that belong to a file as a whole: a city model's pictures, an FBX's textures, the tiles of
 * a reality mesh.
 */
export function foldersBeside(primary: string, folders: readonly string[]): readonly string[] {
  if (folders.length === 0) return folders;
  const extension = extensionOf(primary);
  const stem = stemOf(primary).toLowerCase();
  const besideNames: string[] = [];
  if (cityModels.includes(extension)) besideNames.push(`${stem}_appearance`, `${stem}_appearances`);
  if (extension === 'gml' || extension === 'citygml') besideNames.push('appearance', 'appearances');
  if (extension === 'fbx') besideNames.push(`${stem}.fbm`);
  const isReality = reality.includes(extension) || primary.toLowerCase() === 'metadata.xml';
  if (isReality) besideNames.push('data');
  return folders.filter((folder) => besideNames.includes(folder.toLowerCase()));
}
