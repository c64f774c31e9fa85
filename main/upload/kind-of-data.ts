import type { AssetType } from '../service/model.ts';
import {
  cityGmlName,
  commonest,
  describeSamples,
  describeSystems,
  headsOf,
  isElevation,
} from './heads/describe-heads.ts';
import { extensionOf } from './heads/head.ts';
import type { Look } from './heads/look-inside.ts';
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
const elevation: Omit<Kind, 'extensions'> = {
  kind: 'Elevation raster',
  assetType: 'TERRAIN',
  sourceType: 'RASTER_TERRAIN',
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
/** From so many on, photos that know where they were taken are a capture. */
const fewPhotos = 3;

/**
 * A guess at what the data is: the extension that says most wins, however many textures or sidecars lie beside it, and what the heads of its files say makes
 * it surer. Null where neither says anything. For one single zip the names inside it are taken.
 */
export function suggestKind(
  scan: Pick<Scan, 'files' | 'archivedNames'>,
  looks: readonly Look[] = [],
): Suggestion | null {
  const names = scan.archivedNames?.length ? scan.archivedNames : scan.files.map((file) => file.key);
  const where = scan.archivedNames?.length ? ' in the archive' : '';
  if (names.some((name) => name.split('/').at(-1)?.toLowerCase() === 'tileset.json')) {
    return { ...tileset, reason: `a tileset.json${where}` };
  }
  const counts = countExtensions(names);
  for (const { extensions, ...kind } of kinds) {
    const found = extensions.filter((extension) => counts.has(extension));
    if (found.length === 0) continue;
    const suggestion = bySight({ ...kind, reason: reasonFor(found, counts) + where }, looks);
    if (suggestion) return suggestion;
  }
  return suggestPictures(counts, where, looks) ?? suggestFromXml(counts, looks);
}

/** The suggestion with what the heads say; null where they deny it. */
function bySight(suggestion: Suggestion, looks: readonly Look[]): Suggestion | null {
  const say = (...more: readonly (string | null)[]) =>
    [suggestion.reason, ...more].filter((words) => words !== null).join(', ');
  if (suggestion.sourceType === 'CITYGML') {
    const heads = headsOf(looks, 'gml');
    if (heads.length > 0 && !heads.some(({ isCityGml }) => isCityGml)) return null;
    return { ...suggestion, kind: cityGmlName(heads), reason: say(describeSystems(heads)) };
  }
  if (suggestion.sourceType === 'POINT_CLOUD') {
    const heads = headsOf(looks, 'las');
    const version = commonest(heads.map((head) => `${head.compressed ? 'LAZ' : 'LAS'} ${head.version}`));
    return { ...suggestion, reason: say(version, describeSystems(heads)) };
  }
  if (suggestion.sourceType === 'RASTER_IMAGERY') {
    const heads = headsOf(looks, 'tiff');
    const heights = heads.filter(isElevation);
    const kind = heights.length * 2 > heads.length ? elevation : imagery;
    return { ...kind, reason: say(describeSamples(heads), describeSystems(heads)) };
  }
  return suggestion;
}

function suggestPictures(
  counts: ReadonlyMap<string, number>,
  where: string,
  looks: readonly Look[],
): Suggestion | null {
  const found = pictures.filter((extension) => counts.has(extension));
  if (found.length === 0) return null;
  const reason = reasonFor(found, counts);
  if (pictureSidecars.some((extension) => counts.has(extension))) {
    return { ...imagery, reason: `${reason} with world files${where}` };
  }
  const photos = (counts.get('jpg') ?? 0) + (counts.get('jpeg') ?? 0);
  const heads = headsOf(looks, 'jpeg');
  const placed = heads.filter(({ hasPosition }) => hasPosition).length;
  if (photos >= fewPhotos && placed * 2 > heads.length) {
    const most = placed < heads.length ? ', most of them' : '';
    return { ...capture, reason: `${reason}${most} with EXIF position` };
  }
  if (photos >= manyPhotos) return { ...capture, reason: `${reason} without world files${where}` };
  return { ...imagery, reason: reason + where };
}

/** The ending says nothing, the head all. */
function suggestFromXml(counts: ReadonlyMap<string, number>, looks: readonly Look[]): Suggestion | null {
  const heads = headsOf(looks, 'gml').filter(({ isCityGml }) => isCityGml);
  const count = counts.get('xml') ?? 0;
  if (heads.length === 0 || count === 0) return null;
  return bySight(
    { kind: 'CityGML', assetType: '3DTILES', sourceType: 'CITYGML', reason: reasonFor(['xml'], counts) },
    looks,
  );
}

function countExtensions(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const extension = extensionOf(name);
    if (extension !== '') counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return counts;
}

/** "34 .gml files", "1 .las file", "2 .obj and 1 .gltf files". */
function reasonFor(extensions: readonly string[], counts: ReadonlyMap<string, number>): string {
  const total = extensions.reduce((sum, extension) => sum + (counts.get(extension) ?? 0), 0);
  const each = extensions.map((extension) => `${counts.get(extension) ?? 0} .${extension}`);
  return `${each.join(' and ')} ${total === 1 ? 'file' : 'files'}`;
}
