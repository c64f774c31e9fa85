import { posix } from 'node:path';
import { type KnownSourceType, kinds } from '../../../shared/kinds.ts';
import type { LeftOutReason } from '../../../shared/source.ts';
import { extensionOf } from '../heads/choose.ts';
import { createPage, type Page } from '../pages.ts';
import { foldersBeside } from '../together/beside.ts';
import { dataSetsOf } from '../together/data-set.ts';
import { strictSidecars, weakSidecars } from '../together/sidecars.ts';

/** Files of one kind of data that are never parted, by their keys: a raster with its sidecars, a tileset. */
export interface Unit {
  readonly kind: KnownSourceType;
  /** What the unit is named after: a file, or the folder of a tileset. */
  readonly primary: string;
  readonly keys: readonly string[];
}

export interface Sorted {
  readonly units: readonly Unit[];
  /** What is no data that the service tiles, and belongs to none. */
  readonly rest: ReadonlyMap<LeftOutReason, readonly string[]>;
}

/** What was seen of files besides their names, by their keys. */
export interface Sight {
  /** What a head or an archive’s names say: a kind, null for none, undefined for what was not looked at. */
  readonly kindOf: (key: string) => KnownSourceType | null | undefined;
  /** A photo that knows where it was taken; undefined for what was not looked at. */
  readonly isPlacedPhoto: (key: string) => boolean | undefined;
}

const words = (text: string) => new Set(text.split(' '));
const pictures = words('jpg jpeg png bmp gif webp tga dds ktx ktx2 hdr exr');
const photoEndings = words('jpg jpeg');
const worldFiles = words('jgw jgwx jpw jpgw jpegw pgw pgwx pngw wld tab');
const documents = words(
  'pdf doc docx docm odt rtf xls xlsx xlsm ods ppt pptx odp pages numbers key eml msg one vsd vsdx htm html ' +
    'mp4 mov avi mkv wmv mpg mpeg m4v webm mts mp3 wav m4a flac exe msi dll app dmg iso lnk url',
);
/** Geodata that the service does not list (service facts, “File kinds”). */
const foreign = words(
  'shp gpkg gdb mdb e57 ecw sid jp2 j2k dgn dwg dxf skp max blend 3ds stl ply rcp rcs pod geojson topojson ' +
    'fgb nc grd hgt bil vrt mbtiles sqlite qgz qgs aprx mxd pts ptx xyz e00',
);
/** What photogrammetry and tilers write in thousands of files around one that names them. */
const meshes = words('3mx 3mxb 3sm s3c osgb osgt');
const tiles = words('b3dm i3dm pnts cmpt subtree');
/** These have pictures beside them, and these files in formats of their own. */
const withPictures: ReadonlySet<KnownSourceType> = new Set([
  ...(['3D_MODEL', 'CITYGML', 'BIM_CAD', 'KML', '3D_CAPTURE', '3DTILES'] as const),
]);
const withAnything: ReadonlySet<KnownSourceType> = new Set([
  ...(['3D_MODEL', 'BIM_CAD', '3D_CAPTURE', '3DTILES'] as const),
]);

const kindOfEnding = new Map(
  kinds.flatMap(({ sourceType, extensions }) => extensions.map((one) => [one, sourceType] as const)),
);
/** Which kind a sidecar is rather for, where it fits files of several: what needs it most stands first. */
const neediest: readonly KnownSourceType[] = ['RASTER_IMAGERY', 'RASTER_TERRAIN', 'POINT_CLOUD'];
/** From so many on, photos are a capture, and so many that know where they were taken. */
const [manyPhotos, fewPhotos] = [20, 3];

/** What a set of files is, before it is known what lies around it. */
type Nature = KnownSourceType | 'picture' | 'note' | LeftOutReason;

interface Loose {
  readonly nature: Nature;
  readonly primary: string;
  readonly keys: string[];
}

/**
 * Sorts the files of a source by kind of data. Each key is in exactly one unit, or in the rest; in which
 * order
 * they come plays no part.
 */
export async function sortByKind(
  keys: readonly string[],
  sight: Sight,
  page = createPage(),
): Promise<Sorted> {
  const byFolder = Map.groupBy(keys.toSorted(), folderOf);
  const tilesets = topmost(
    [...byFolder].flatMap(([folder, own]) =>
      own.some((key) => posix.basename(key).toLowerCase() === 'tileset.json') ? [folder] : [],
    ),
  );
  const loose: Loose[] = tilesets.map((folder) => ({ nature: '3DTILES', primary: folder, keys: [] }));
  const claims = new Map(loose.map((tileset) => [tileset.primary, tileset]));
  const foldersIn = childFolders(byFolder.keys());
  for (const folder of [...byFolder.keys()].sort((a, b) => depth(a) - depth(b) || compare(a, b))) {
    const own = byFolder.get(folder) ?? [];
    const owner = nearest(folder, (one) => claims.get(one));
    if (owner) owner.keys.push(...own);
    else loose.push(...(await setsIn(folder, own, foldersIn.get(folder) ?? [], claims, sight, page)));
    if (page.isFull()) await page.turn();
  }
  return settle(loose, sight);
}

/** What is in one folder; folders that belong to one of its files whole are claimed. */
async function setsIn(
  folder: string,
  keys: readonly string[],
  folders: readonly string[],
  claims: Map<string, Loose>,
  sight: Sight,
  page: Page,
): Promise<readonly Loose[]> {
  const keyOf = new Map(keys.map((key) => [posix.basename(key), key]));
  const { sets, lone } = await dataSetsOf([...keyOf.keys()], page);
  const at = (name: string) => keyOf.get(name) ?? name;
  const found = sets.map(({ primary, companions }) => ({
    nature: natureOf(at(primary), companions, sight),
    primary: at(primary),
    companions,
  }));
  const taken = new Set<string>();
  const order = found.toSorted((a, b) => needOf(a.nature) - needOf(b.nature));
  const loose = order.map(({ nature, primary, companions }): Loose => {
    const own = companions.filter((name) => !taken.has(name));
    for (const name of own) taken.add(name);
    const set: Loose = { nature, primary, keys: [primary, ...own.map(at)] };
    if (isKind(nature)) {
      for (const beside of foldersBeside(posix.basename(primary), folders)) {
        const place = folder === '' ? beside : `${folder}/${beside}`;
        if (!claims.has(place)) claims.set(place, set);
      }
    }
    return set;
  });
  return [...loose, ...lone.map((name): Loose => ({ nature: 'note', primary: at(name), keys: [at(name)] }))];
}

/** Who is first to take a sidecar that fits several. */
function needOf(nature: Nature): number {
  if (!isKind(nature)) return neediest.length + 1;
  const found = neediest.indexOf(nature);
  return found === -1 ? neediest.length : found;
}

function natureOf(key: string, companions: readonly string[], sight: Sight): Nature {
  const ending = extensionOf(key);
  const seen = sight.kindOf(key);
  if (seen) return seen;
  const named = kindOfEnding.get(ending);
  if (named) return seen === null ? 'foreign' : named;
  if (meshes.has(ending)) return '3D_CAPTURE';
  if (tiles.has(ending)) return '3DTILES';
  if (pictures.has(ending))
    return companions.some((name) => worldFiles.has(extensionOf(name))) ? 'RASTER_IMAGERY' : 'picture';
  if (documents.has(ending)) return 'document';
  if (foreign.has(ending)) return 'foreign';
  if (ending === '' || weakSidecars.has(ending) || strictSidecars.has(ending)) return 'note';
  return 'unknown';
}

const sourceTypes: ReadonlySet<string> = new Set(kinds.map(({ sourceType }) => sourceType));
const isKind = (nature: Nature): nature is KnownSourceType => sourceTypes.has(nature);

/** Gives what belongs to data around it to that, and parts the rest by why it is left out. */
function settle(found: readonly Loose[], sight: Sight): Sorted {
  const loose = withoutModelsOfKml(found);
  const units = loose
    .filter((set) => isKind(set.nature))
    .map(({ keys, ...set }) => ({ ...set, keys: [...keys] }));
  const around = new Surroundings(units);
  const rest = new Map<LeftOutReason, string[]>();
  const leaveOut = (reason: LeftOutReason, keys: readonly string[]) => {
    const list = rest.get(reason);
    if (list) list.push(...keys);
    else rest.set(reason, [...keys]);
  };
  const photos: Loose[] = [];
  const placed = placedFolders(loose, sight);
  for (const set of loose) {
    const { nature } = set;
    if (isKind(nature)) continue;
    if (nature === 'picture' && placed.has(folderOf(set.primary))) {
      photos.push(set);
      continue;
    }
    const owner =
      nature === 'note'
        ? around.ownerOf(set.primary, () => true)
        : nature === 'picture'
          ? around.ownerOf(set.primary, (kind) => withPictures.has(kind))
          : nature === 'unknown'
            ? around.ownerOf(set.primary, (kind) => withAnything.has(kind))
            : null;
    if (owner) owner.keys.push(...set.keys);
    else if (nature === 'picture' && photoEndings.has(extensionOf(set.primary))) photos.push(set);
    else leaveOut(nature, set.keys);
  }
  const enough = photos.length >= (placed.size > 0 ? fewPhotos : manyPhotos);
  for (const { primary, keys } of photos) {
    if (enough) units.push({ nature: '3D_CAPTURE', primary, keys });
    else leaveOut('picture', keys);
  }
  return {
    units: units
      .map(({ nature, primary, keys }) => ({ kind: nature as KnownSourceType, primary, keys: keys.sort() }))
      .sort((a, b) => compare(a.primary, b.primary)),
    rest: new Map([...rest].sort(([a], [b]) => compare(a, b)).map(([reason, keys]) => [reason, keys.sort()])),
  };
}

/** A KML names the models in its folder and below. */
function withoutModelsOfKml(loose: readonly Loose[]): readonly Loose[] {
  const ofKml = new Map<string, Loose>();
  for (const set of loose)
    if (set.nature === 'KML' && !ofKml.has(folderOf(set.primary))) ofKml.set(folderOf(set.primary), set);
  return loose.filter(({ nature, primary, keys }) => {
    const isPlain = nature === '3D_MODEL' && extensionOf(primary) === 'dae';
    const kml = isPlain ? nearest(folderOf(primary), (folder) => ofKml.get(folder)) : undefined;
    kml?.keys.push(...keys);
    return kml === undefined;
  });
}

/** Folders most of whose photos that were looked at know where they were taken. */
function placedFolders(loose: readonly Loose[], sight: Sight): ReadonlySet<string> {
  const balance = new Map<string, number>();
  for (const { nature, primary } of loose) {
    const seen = nature === 'picture' ? sight.isPlacedPhoto(primary) : undefined;
    if (seen === undefined) continue;
    const folder = folderOf(primary);
    balance.set(folder, (balance.get(folder) ?? 0) + (seen ? 1 : -1));
  }
  return new Set([...balance].filter(([, sum]) => sum > 0).map(([folder]) => folder));
}

/** Which kinds of data lie in and below each folder. */
class Surroundings {
  readonly #firsts = new Map<string, Map<KnownSourceType, Loose>>();

  constructor(units: readonly Loose[]) {
    for (const unit of units.toSorted((a, b) => compare(a.primary, b.primary))) {
      if (!isKind(unit.nature)) continue;
      for (let folder = folderOf(unit.primary); ; folder = folderOf(folder)) {
        const there = this.#firsts.get(folder) ?? new Map<KnownSourceType, Loose>();
        if (!there.has(unit.nature)) there.set(unit.nature, unit);
        this.#firsts.set(folder, there);
        if (folder === '') break;
      }
    }
  }

  /** Of the nearest data: null where data of two kinds is as near. */
  ownerOf(key: string, takes: (kind: KnownSourceType) => boolean): Loose | null {
    for (let folder = folderOf(key); ; folder = folderOf(folder)) {
      const there = [...(this.#firsts.get(folder) ?? [])].filter(([kind]) => takes(kind));
      const [only] = there;
      if (only) return there.length === 1 ? only[1] : null;
      if (folder === '') return null;
    }
  }
}

function childFolders(folders: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, Set<string>>();
  for (const each of folders) {
    for (let folder = each; folder !== ''; folder = folderOf(folder)) {
      const parent = folderOf(folder);
      const known = children.get(parent) ?? new Set();
      if (known.has(posix.basename(folder))) break;
      children.set(parent, known.add(posix.basename(folder)));
    }
  }
  return new Map([...children].map(([folder, names]) => [folder, [...names].sort()]));
}

/** Without those that lie in another. */
function topmost(folders: readonly string[]): readonly string[] {
  const all = new Set(folders);
  return folders.filter(
    (folder) => folder === '' || !nearest(folderOf(folder), (one) => all.has(one) || undefined),
  );
}

/** What is found for the folder, or for the nearest above it. */
function nearest<Found>(folder: string, find: (folder: string) => Found | undefined): Found | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    const found = find(at);
    if (found !== undefined || at === '') return found;
  }
}

/** Of a key: its folder, empty at the top. */
export const folderOf = (key: string): string => {
  const cut = key.lastIndexOf('/');
  return cut === -1 ? '' : key.slice(0, cut);
};
const depth = (folder: string) => (folder === '' ? 0 : folder.split('/').length);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
