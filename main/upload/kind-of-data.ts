import type { AssetType } from '../service/model.ts';
import type { Scan, Suggestion } from './model.ts';

interface Kind {
  readonly kind: string;
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly extensions: readonly string[];
}

/** service-facts.md, "File kinds" and "sourceType values". Tried from the top: what says more stands first. */
const kinds: readonly Kind[] = [
  { kind: 'CityGML', assetType: '3DTILES', sourceType: 'CITYGML', extensions: ['gml', 'citygml'] },
  { kind: 'Point cloud', assetType: '3DTILES', sourceType: 'POINT_CLOUD', extensions: ['las', 'laz'] },
  { kind: 'Building model', assetType: '3DTILES', sourceType: 'BIM_CAD', extensions: ['ifc', 'rvt', 'dwg'] },
  { kind: 'KML/COLLADA', assetType: '3DTILES', sourceType: 'KML', extensions: ['kml', 'kmz'] },
  {
    kind: '3D model',
    assetType: '3DTILES',
    sourceType: '3D_MODEL',
    extensions: ['obj', 'gltf', 'glb', 'fbx', 'dae'],
  },
  {
    kind: 'Terrain database',
    assetType: 'TERRAIN',
    sourceType: 'TERRAIN_DATABASE',
    extensions: ['terraindb'],
  },
  {
    kind: 'Elevation raster',
    assetType: 'TERRAIN',
    sourceType: 'RASTER_TERRAIN',
    extensions: ['asc', 'dem', 'flt'],
  },
  {
    kind: 'Imagery',
    assetType: 'IMAGERY',
    sourceType: 'RASTER_IMAGERY',
    extensions: ['tif', 'tiff', 'img', 'src'],
  },
];

const tileset: Omit<Kind, 'extensions'> = {
  kind: '3D Tiles tileset',
  assetType: '3DTILES',
  sourceType: '3DTILES',
};
const imagery: Omit<Kind, 'extensions'> = {
  kind: 'Imagery',
  assetType: 'IMAGERY',
  sourceType: 'RASTER_IMAGERY',
};
const capture: Omit<Kind, 'extensions'> = {
  kind: 'Photogrammetry',
  assetType: '3DTILES',
  sourceType: '3D_CAPTURE',
};

const pictures = ['jpg', 'jpeg', 'png'];
/** Files that give a picture its place on earth; photos of a capture have none. */
const pictureSidecars = ['jgw', 'pgw', 'wld', 'tfw', 'tab'];
/** Fewer photos than this are a poor capture, and more likely something else. */
const manyPhotos = 20;

/**
 * A guess at what the data is, from names alone: the extension that says most wins, however many textures or sidecars lie beside it.
 * Null where the names say nothing. For one single zip the names inside it are taken.
 */
export function suggestKind(scan: Pick<Scan, 'files' | 'archivedNames'>): Suggestion | null {
  const names = scan.archivedNames?.length ? scan.archivedNames : scan.files.map((file) => file.key);
  const where = scan.archivedNames?.length ? ' in the archive' : '';
  if (names.some((name) => name.split('/').at(-1)?.toLowerCase() === 'tileset.json')) {
    return { ...tileset, reason: `a tileset.json${where}` };
  }
  const counts = countExtensions(names);
  for (const { extensions, ...kind } of kinds) {
    const found = extensions.filter((extension) => counts.has(extension));
    if (found.length > 0) return { ...kind, reason: reasonFor(found, counts) + where };
  }
  return suggestPictures(counts, where);
}

function suggestPictures(counts: ReadonlyMap<string, number>, where: string): Suggestion | null {
  const found = pictures.filter((extension) => counts.has(extension));
  if (found.length === 0) return null;
  const reason = reasonFor(found, counts);
  if (pictureSidecars.some((extension) => counts.has(extension))) {
    return { ...imagery, reason: `${reason} with world files${where}` };
  }
  const photos = (counts.get('jpg') ?? 0) + (counts.get('jpeg') ?? 0);
  if (photos >= manyPhotos) return { ...capture, reason: `${reason} without world files${where}` };
  return { ...imagery, reason: reason + where };
}

function countExtensions(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const extension = /[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase();
    if (extension) counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return counts;
}

/** "34 .gml files", "1 .las file", "2 .obj and 1 .gltf files". */
function reasonFor(extensions: readonly string[], counts: ReadonlyMap<string, number>): string {
  const total = extensions.reduce((sum, extension) => sum + (counts.get(extension) ?? 0), 0);
  const each = extensions.map((extension) => `${counts.get(extension) ?? 0} .${extension}`);
  return `${each.join(' and ')} ${total === 1 ? 'file' : 'files'}`;
}
