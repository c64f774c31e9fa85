import { type KnownSourceType, kinds } from '../../../shared/kinds.ts';
import type { LeftOutReason } from '../../../shared/source.ts';
import { extensionOf } from '../headers/choose.ts';
import { strictSidecars, weakSidecars } from '../together/sidecars.ts';

/** Files of one kind of data that are never parted: a raster with its sidecars, a tileset. */
export type Unit = FileSet<KnownSourceType>;

export interface Sorted {
  readonly units: readonly Unit[];
  /** Places of what is no data that the service tiles, and belongs to none; in order of their keys. */
  readonly rest: ReadonlyMap<LeftOutReason, readonly number[]>;
}

/** What was seen of files besides their names, by their keys. */
export interface Sight {
  /** What a head or an archive’s names say: a kind, null for none, undefined for what was not looked at. */
  readonly kindOf: (key: string) => KnownSourceType | null | undefined;
  /** A photo that knows where it was taken; undefined for what was not looked at. */
  readonly isPlacedPhoto: (key: string) => boolean | undefined;
  /** Whether photos come from one camera, as far as they were looked at; absent where none was. */
  readonly areOfOneCamera?: (keys: readonly string[]) => boolean;
  /** Files that models name, each with the file that names it; absent where none does. */
  readonly named?: ReadonlyMap<string, string>;
}

const words = (text: string) => new Set(text.split(' '));
const pictures = words('jpg jpeg png bmp gif webp tga dds ktx ktx2 hdr exr');
export const photoEndings = words('jpg jpeg');
const worldFiles = words('jgw jgwx jpw jpgw jpegw pgw pgwx pngw wld tab');
const documents = words(
  'pdf doc docx docm odt rtf xls xlsx xlsm ods ppt pptx odp pages numbers key eml msg one vsd vsdx htm html ' +
    'mp4 mov avi mkv wmv mpg mpeg m4v webm mts mp3 wav m4a flac exe msi dll app dmg iso lnk url',
);
/** Geodata that the service does not list (service facts, “File kinds”). */
const foreign = words(
  'shp gpkg gdb mdb e57 ecw sid jp2 j2k dgn dwg dxf skp max blend 3ds stl ply rcp rcs pod geojson topojson ' +
    'fgb nc grd hgt bil vrt mbtiles sqlite qgz qgs aprx mxd pts ptx xyz e00 cityjson terrain ' +
    'spz splat ksplat sog',
);
/** What photogrammetry and tilers write in thousands of files around one that names them. */
const meshes = words('3mx 3mxb 3sm s3c osgb osgt');
const tiles = words('b3dm i3dm pnts cmpt subtree');
/** Folders and files that ContextCapture and others cut the mesh of a capture into: `Tile_+000_+003`. */
export const isTileOfCapture = (key: string): boolean => /(?:^|\/)Tile_[+-]\d{1,6}_[+-]\d{1,6}/i.test(key);

/** Geodata of a format that the service does not list, by its extension. */
export const isForeign = (ending: string): boolean => foreign.has(ending);

/** These have pictures beside them, and these files in formats of their own. */
export const withPictures: ReadonlySet<KnownSourceType> = new Set([
  ...(['3D_MODEL', 'CITYGML', 'BIM_CAD', 'KML', '3D_CAPTURE', '3DTILES'] as const),
]);
export const withAnything: ReadonlySet<KnownSourceType> = new Set([
  ...(['3D_MODEL', 'BIM_CAD', '3D_CAPTURE', '3DTILES'] as const),
]);

const kindOfEnding = new Map(
  kinds.flatMap(({ sourceType, extensions }) => extensions.map((one) => [one, sourceType] as const)),
);
/** Which kind a sidecar is rather for, where it fits files of several: what needs it most stands first. */
const neediest: readonly KnownSourceType[] = ['RASTER_IMAGERY', 'RASTER_TERRAIN', 'POINT_CLOUD'];
/** What a set of files is, before it is known what lies around it. */
export type Nature = KnownSourceType | 'picture' | 'note' | LeftOutReason;

/** Files by their keys: all that their names tell. */
export interface KeyedFiles extends Iterable<{ readonly key: string }> {
  readonly length: number;
  at(place: number): { readonly key: string } | undefined;
}

export const keyAt = (files: KeyedFiles, place: number | undefined): string =>
  (place === undefined ? undefined : files.at(place)?.key) ?? '';

/**
 * Files that belong together, on the way to where they belong. There may be a million of them with one file
 * each: no key is kept.
 */
export class FileSet<Is extends Nature = Nature> {
  readonly nature: Is;
  /** Their places. */
  readonly files: number[];
  readonly #all: KeyedFiles;
  readonly #name: string | number;

  /** @param name what it is named after: a folder by its key, or a file by its place */
  constructor(nature: Is, all: KeyedFiles, name: string | number, files: number[]) {
    this.nature = nature;
    this.#all = all;
    this.#name = name;
    this.files = files;
  }

  /** The key of what it is named after: a file, or the folder of a tileset. */
  get primary(): string {
    return typeof this.#name === 'string' ? this.#name : keyAt(this.#all, this.#name);
  }

  /** The same as another kind of data. */
  as<Other extends Nature>(nature: Other): FileSet<Other> {
    return new FileSet(nature, this.#all, this.#name, this.files);
  }
}

/** A set of which it is not known yet what it is. */
export type Loose = FileSet;

export const isUnit = (set: Loose): set is Unit => isKind(set.nature);

/** Who is first to take a sidecar that fits several. */
export function needOf(nature: Nature): number {
  if (!isKind(nature)) return neediest.length + 1;
  const found = neediest.indexOf(nature);
  return found === -1 ? neediest.length : found;
}

/** What a set is by its first file, and by what is beside that. */
export function natureOf(key: string, companions: readonly string[], sight: Sight): Nature {
  const ending = extensionOf(key);
  const seen = sight.kindOf(key);
  if (seen) return seen;
  const named = kindOfEnding.get(ending);
  if (named === '3D_MODEL' && isTileOfCapture(key)) return '3D_CAPTURE';
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
export const isKind = (nature: Nature): nature is KnownSourceType => sourceTypes.has(nature);
