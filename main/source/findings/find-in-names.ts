import type { Finding } from '../../../shared/findings.ts';
import { hasHowTo } from '../../../shared/how-to/how-to.ts';
import { isData } from '../formats/read-file.ts';
import { extensionOf } from '../heads/choose.ts';

interface NamedFile {
  readonly key: string;
  readonly size: number;
}

/** service-facts.md, "File kinds": what each edition of the service's public guide lists. */
const listed = new Set(
  (
    'citygml gml xml kml kmz dae las laz obj mtl gltf bin glb fbx tif tiff img jpg jpeg png src tab tfw jgw pgw wld prj ovr rrd ' +
    'flt asc dem terraindb zip json'
  ).split(' '),
);
/** The same place: what newer editions list besides. */
const newlyListed = new Set(['czml', 'geojson', 'topojson', 'ifc']);
/** Of an existing tileset, and what lies beside data. */
const notData = new Set('b3dm i3dm pnts cmpt msk vrt dbf shx sbn sbx cpg qix'.split(' '));

/** Of these, a second one of the same name and size is the same once more. */
const ownNames = new Set('gml citygml las laz tif tiff img asc dem flt ifc'.split(' '));
const photos = new Set(['jpg', 'jpeg']);
/** Beside these, pictures are textures, which many models share. */
const textured = new Set('gml citygml obj dae gltf glb fbx kml json b3dm'.split(' '));

/** Limits that older editions of the guide name, bytes (the same place): never a refusal. */
const [maxModelBytes, maxAssetBytes] = [1e9, 20e9];
const limited = new Set(['dae', 'obj']);

/** What the names and sizes of all files tell. */
export function findInNames(
  files: readonly NamedFile[],
): readonly (Finding & { readonly keys: readonly string[] })[] {
  const unlisted = files.filter(({ key }) => {
    const ending = extensionOf(key);
    if (listed.has(ending) || newlyListed.has(ending) || notData.has(ending)) return false;
    return isData(`.${ending}`) || hasHowTo(key);
  });
  const newer = files.filter(({ key }) => newlyListed.has(extensionOf(key)));
  const twice = duplicatesIn(files);
  const large = files.filter(({ key, size }) => size >= maxModelBytes && limited.has(extensionOf(key)));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return [
    ...formatsFound('unlisted-format', unlisted),
    ...formatsFound('newly-listed-format', newer),
    ...(twice.length > 0 ? [{ id: 'duplicates' as const, keys: twice }] : []),
    ...(large.length > 0 ? [{ id: 'large-models' as const, keys: large.map(({ key }) => key) }] : []),
    ...(bytes > maxAssetBytes
      ? [{ id: 'large-asset' as const, values: { size: { bytes } }, keys: files.map(({ key }) => key) }]
      : []),
  ];
}

function formatsFound(id: 'unlisted-format' | 'newly-listed-format', files: readonly NamedFile[]) {
  const keys = files.map(({ key }) => key);
  const endings = [...new Set(keys.map((key) => `.${extensionOf(key)}`))].sort();
  return keys.length === 0 ? [] : [{ id, values: { endings: { list: endings } }, keys }];
}

function duplicatesIn(files: readonly NamedFile[]): readonly string[] {
  const isTextured = files.some(({ key }) => textured.has(extensionOf(key)));
  const firstOf = new Map<string, string>();
  const found = new Set<string>();
  for (const { key, size } of files) {
    const ending = extensionOf(key);
    if (size === 0 || !(ownNames.has(ending) || (photos.has(ending) && !isTextured))) continue;
    const same = `${size} ${key.slice(key.lastIndexOf('/') + 1).toLowerCase()}`;
    const first = firstOf.get(same);
    if (first === undefined) firstOf.set(same, key);
    else found.add(first).add(key);
  }
  return [...found];
}
