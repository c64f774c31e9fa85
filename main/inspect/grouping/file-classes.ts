import { isTiled, type KnownSourceType, kinds } from '../../../shared/kinds.ts';
import type { LeftOutReason } from '../../../shared/source.ts';
import { extensionOf, isTileOfCapture } from '../headers/choose.ts';
import { strictSidecars, weakSidecars } from '../together/sidecars.ts';

/** Inseparable files of one kind: a raster with its sidecars, a tileset. */
export type Unit = FileSet<KnownSourceType>;

export interface Sorted {
  readonly units: readonly Unit[];
  /** File indexes without tileable data or an owner, in key order. */
  readonly leftOutFiles: ReadonlyMap<LeftOutReason, readonly number[]>;
}

/** Knowledge from file contents. */
export interface ContentFacts {
  /** Null for none, undefined if not inspected. */
  readonly kindOf: (key: string) => KnownSourceType | null | undefined;
  /** Undefined if not inspected. */
  readonly isPlacedPhoto: (key: string) => boolean | undefined;
  readonly areOfOneCamera?: (keys: readonly string[]) => boolean;
  /** Files referenced by models, with the referencing file. */
  readonly referencingKeys?: ReadonlyMap<string, string>;
}

const words = (text: string) => new Set(text.split(' '));
const pictures = words('jpg jpeg png bmp gif webp tga dds ktx ktx2 hdr exr');
export const photoEndings = words('jpg jpeg');
const worldFiles = words('jgw jgwx jpw jpgw jpegw pgw pgwx pngw wld tab');
const documents = words(
  'pdf doc docx docm odt rtf xls xlsx xlsm ods ppt pptx odp pages numbers key eml msg one vsd vsdx htm html ' +
    'mp4 mov avi mkv wmv mpg mpeg m4v webm mts mp3 wav m4a flac exe msi dll app dmg iso lnk url',
);
/** Geodata that the service doesn't list (service-facts.md, “File kinds”). */
const foreign = words(
  'shp gpkg gdb mdb e57 ecw sid jp2 j2k dgn dwg dxf skp max blend 3ds stl ply rcp rcs pod ' +
    'fgb nc grd hgt bil vrt mbtiles sqlite qgz qgs aprx mxd pts ptx xyz e00 cityjson terrain ' +
    'spz splat ksplat sog',
);
/** Formats that photogrammetry programs and tilers write as thousands of files around a root file. */
const meshes = words('3mx 3mxb 3sm s3c osgb osgt');
const tiles = words('b3dm i3dm pnts cmpt subtree 3tz');

/** Whether the service doesn't list this kind of geodata. */
export const isForeign = (extension: string): boolean => foreign.has(extension);

/** Kinds with pictures next to them, and kinds with files of any format. */
export const withPictures: ReadonlySet<KnownSourceType> = new Set([
  ...(['3D_MODEL', 'CITYGML', 'BIM_CAD', 'KML', '3D_CAPTURE', '3DTILES'] as const),
]);
export const withAnything: ReadonlySet<KnownSourceType> = new Set([
  ...(['3D_MODEL', 'BIM_CAD', '3D_CAPTURE', '3DTILES'] as const),
]);

const kindOfEnding = new Map(
  kinds.flatMap(({ sourceType, extensions }) =>
    extensions.map((extension) => [extension, sourceType] as const),
  ),
);
/** Kinds served unchanged: a file each, and only if there is no other data. */
export const servedKinds: ReadonlySet<FileClass> = new Set(
  kinds.filter((kind) => !isTiled(kind)).map(({ sourceType }) => sourceType),
);
/** Kinds that need an ambiguous sidecar most. */
const sidecarPriority: readonly KnownSourceType[] = ['RASTER_IMAGERY', 'RASTER_TERRAIN', 'POINT_CLOUD'];
/** Class of a file set before its surroundings are considered. */
export type FileClass = KnownSourceType | 'picture' | 'note' | LeftOutReason;

export interface KeyedFiles extends Iterable<{ readonly key: string }> {
  readonly length: number;
  at(place: number): { readonly key: string } | undefined;
}

export const keyAt = (files: KeyedFiles, place: number | undefined): string =>
  (place === undefined ? undefined : files.at(place)?.key) ?? '';

/** Stores no keys, as there may be a million sets of one file. */
export class FileSet<Is extends FileClass = FileClass> {
  readonly fileClass: Is;
  readonly files: number[];
  readonly #keyedFiles: KeyedFiles;
  readonly #name: string | number;

  /** @param name folder key or file index */
  constructor(fileClass: Is, keyedFiles: KeyedFiles, name: string | number, files: number[]) {
    this.fileClass = fileClass;
    this.#keyedFiles = keyedFiles;
    this.#name = name;
    this.files = files;
  }

  /** Key of the file or tileset folder that names the set. */
  get primary(): string {
    return typeof this.#name === 'string' ? this.#name : keyAt(this.#keyedFiles, this.#name);
  }

  as<Other extends FileClass>(fileClass: Other): FileSet<Other> {
    return new FileSet(fileClass, this.#keyedFiles, this.#name, this.files);
  }
}

export const isUnit = (set: FileSet): set is Unit => isKind(set.fileClass);

/** Priority for ambiguous sidecars, lowest first. */
export function sidecarRank(fileClass: FileClass): number {
  if (!isKind(fileClass)) return sidecarPriority.length + 1;
  const index = sidecarPriority.indexOf(fileClass);
  return index === -1 ? sidecarPriority.length : index;
}

/** Classifies a set by its first file and that file's companions. */
export function fileClassOf(
  key: string,
  companions: readonly string[],
  contentFacts: ContentFacts,
): FileClass {
  const extension = extensionOf(key);
  const detectedKind = contentFacts.kindOf(key);
  if (detectedKind) return detectedKind;
  const extensionKind = kindOfEnding.get(extension);
  if (extensionKind === '3D_MODEL' && isTileOfCapture(key)) return '3D_CAPTURE';
  if (extensionKind) return detectedKind === null ? 'foreign' : extensionKind;
  if (meshes.has(extension)) return '3D_CAPTURE';
  if (tiles.has(extension)) return '3DTILES';
  if (pictures.has(extension))
    return companions.some((name) => worldFiles.has(extensionOf(name))) ? 'RASTER_IMAGERY' : 'picture';
  if (documents.has(extension)) return 'document';
  if (foreign.has(extension)) return 'foreign';
  if (extension === '' || weakSidecars.has(extension) || strictSidecars.has(extension)) return 'note';
  return 'unknown';
}

const sourceTypes: ReadonlySet<string> = new Set(kinds.map(({ sourceType }) => sourceType));
export const isKind = (fileClass: FileClass): fileClass is KnownSourceType => sourceTypes.has(fileClass);
