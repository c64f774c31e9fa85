import type { Degree } from '../../../shared/degrees.ts';
import { readZip, sevenZipEnd, type ZipHead, zipEnd } from './archives/zip.ts';
import { type Content, contentOf, fits } from './base/content.ts';
import { areZeros, FileBytes, glimpse, PastEnd, ReadEnough } from './base/file-bytes.ts';
import {
  type Beside,
  type Check,
  type Reader,
  somethingElse,
  type UnpackLaz,
  type Verdict,
} from './base/format.ts';
import { dbaseEnd, fbxEnd, hdf5End, parquetEnd, shapeEnd, sqliteEnd, tileEnd } from './base/lengths.ts';
import { isText, jsonEnd } from './base/texts.ts';
import { type BrokenJsonHead, readFeatures, readJson } from './documents/json-documents.ts';
import type { KmlHead } from './documents/kml.ts';
import { type GmlHead, readMarkup } from './documents/markup.ts';
import type { CaptureHead } from './models/capture.ts';
import { readGlb, readGltf } from './models/gltf.ts';
import { type IfcHead, readIfc, readIfcZip } from './models/ifc.ts';
import { type ModelHead, readObj } from './models/model.ts';
import { readPly } from './models/ply.ts';
import { readSog, readSplat, readSpz, type SplatHead } from './models/splats.ts';
import { readBmp, readDds, readGif, readKtx2, readWebp, type TextureHead } from './models/textures.ts';
import type { TilesetHead } from './models/tileset.ts';
import { type LasHead, readLas } from './points/las.ts';
import { e57End } from './points/points.ts';
import { type GridHead, type PlainHead, readAsciiGrid, readPlainRaster } from './raster/grids.ts';
import { type ImagineHead, readImagine } from './raster/hfa.ts';
import { type JpegHead, readJpeg } from './raster/jpeg.ts';
import { netcdfEnd } from './raster/netcdf.ts';
import { jp2End, type PngHead, readPng } from './raster/pictures.ts';
import { readTiff, type TiffHead } from './raster/tiff.ts';
import { type DemHead, readUsgsDem } from './raster/usgs-dem.ts';
import type { FeaturesHead } from './vector/features.ts';
import { flatGeobufEnd } from './vector/flatgeobuf.ts';

export type Head =
  | BrokenJsonHead
  | CaptureHead
  | DemHead
  | FeaturesHead
  | GmlHead
  | GridHead
  | IfcHead
  | ImagineHead
  | JpegHead
  | KmlHead
  | LasHead
  | ModelHead
  | PlainHead
  | PngHead
  | SplatHead
  | TextureHead
  | TiffHead
  | TilesetHead
  | ZipHead;

const endOf =
  (end: Check, zerosAtEnd?: 'unfilled'): Reader<Head> =>
  async () => ({ head: null, end, degree: 'end-only', ...(zerosAtEnd && { zerosAtEnd }) });

const beginsWith =
  (mark: string): Reader<Head> =>
  async (file) =>
    (await file.begins(mark)) ? { head: null, end: () => null, degree: 'no-reader' } : somethingElse;

const formats: readonly (readonly [Reader<Head>, readonly string[]])[] = [
  [readTiff, ['.tif', '.tiff', '.gtiff', '.btf', '.tf8', '.ovr', '.msk']],
  [readZip, ['.zip', '.kmz', '.3tz']],
  [endOf(zipEnd), ['.usdz', '.slpk']],
  [endOf(sevenZipEnd, 'unfilled'), ['.7z']],
  [readLas, ['.las', '.laz']],
  [endOf(e57End, 'unfilled'), ['.e57']],
  [readPly, ['.ply']],
  [readSpz, ['.spz']],
  [readSplat, ['.splat', '.ksplat']],
  [readSog, ['.sog']],
  [readObj, ['.obj']],
  [readJpeg, ['.jpg', '.jpeg']],
  [endOf(jp2End), ['.jp2', '.jpx', '.jpf', '.j2k', '.j2c', '.jpc']],
  [readPng, ['.png']],
  [readGif, ['.gif']],
  [readBmp, ['.bmp']],
  [readWebp, ['.webp']],
  [readDds, ['.dds']],
  [readKtx2, ['.ktx2']],
  [readImagine, ['.img']],
  [readPlainRaster, ['.bil', '.bip', '.bsq', '.flt']],
  [readUsgsDem, ['.dem']],
  [readAsciiGrid, ['.asc', '.agr']],
  [endOf(netcdfEnd), ['.nc', '.nc4', '.cdf']],
  [endOf(hdf5End), ['.h5', '.hdf5', '.hdf', '.he5', '.bag', '.kea']],
  [endOf(shapeEnd, 'unfilled'), ['.shp', '.shx']],
  [endOf(dbaseEnd), ['.dbf']],
  [endOf(sqliteEnd), ['.mbtiles', '.gpkg', '.sqlite', '.terraindb']],
  [endOf(parquetEnd), ['.parquet', '.geoparquet']],
  [endOf(flatGeobufEnd, 'unfilled'), ['.fgb']],
  [readGlb, ['.glb']],
  [readGltf, ['.gltf']],
  [endOf(tileEnd), ['.b3dm', '.i3dm', '.pnts', '.cmpt']],
  [endOf(fbxEnd, 'unfilled'), ['.fbx']],
  [readIfc, ['.ifc']],
  [readIfcZip, ['.ifczip']],
  [readJson, ['.json']],
  [readFeatures, ['.geojson', '.topojson', '.czml']],
  [endOf(jsonEnd), ['.cityjson']],
  [beginsWith('AC'), ['.dwg']],
  [beginsWith('\xd0\xcf\x11\xe0'), ['.rvt']],
  [readMarkup, ['.gml', '.kml', '.dae', '.xml', '.vrt', '.citygml']],
];
const readers: ReadonlyMap<string, Reader<Head>> = new Map(
  formats.flatMap(([read, endings]) => endings.map((ending) => [ending, read] as const)),
);

/** Data formats that don't state their end. */
const endless = ['.xyz', '.hgt', '.ecw', '.sid', '.osgb', '.dt0', '.dt1', '.dt2'];
/** Sidecar files, which may be empty. */
const beside = new Set(['.xml', '.json', '.ovr', '.msk']);
const data: ReadonlySet<string> = new Set([
  ...[...readers.keys()].filter((ending) => !beside.has(ending)),
  ...endless,
]);

/** Whether files of this extension (lower case, with dot) can be checked. */
export const isData = (ending: string): boolean => data.has(ending) || readers.has(ending);

interface FileToRead {
  /** Lower case, with dot. */
  readonly ending: string;
  readonly size: number;
  read(at: number, length: number): Promise<Buffer>;
  readonly beside: Beside;
  /** Default: `maxBytes`. */
  readonly budget?: number;
  /** Bytes at the beginning, if the rest is packed. */
  readonly readable?: number;
  /** Also samples the data. */
  readonly deep?: boolean;
  /** For packed points. */
  readonly unpackLaz?: UnpackLaz;
}

/** The result of reading a file. */
export interface FileSays {
  /** Null if unreadable, misnamed, or checked only at the end. */
  readonly head: Head | null;
  /** Truncated, empty, another format. */
  readonly verdict: Verdict;
  /** Absent without data. */
  readonly degree?: Degree;
  /** A misnamed file's actual format. */
  readonly content?: Content;
  readonly zeros?: Zeros;
}

/** At the beginning, in the last quarter, or in the last 4 KiB. */
type Zeros = 'begin' | 'end' | 'tail';

const emptyFile: FileSays = { head: null, verdict: 'empty', degree: 'read' };

/** Headerless formats, whose numbers may begin with zeros. */
const raw = new Set(['.bil', '.bip', '.bsq', '.flt', '.img', '.hgt', '.dem']);
const ambiguous = new Set(['.img', '.asc', '.agr']);
const texts = new Set([
  '.obj',
  '.asc',
  '.agr',
  '.gltf',
  '.geojson',
  '.topojson',
  '.czml',
  '.cityjson',
  '.xyz',
]);

/**
 * Reads the header and, unless `wants` is `head`, checks the file's end. Compares offsets and counts with the
 * size, so it reads little.
 */
export async function readFile(
  { ending, size, read, beside: sidecar, budget, readable, deep = false, unpackLaz }: FileToRead,
  wants: 'head' | 'both' = 'both',
): Promise<FileSays> {
  if (size === 0) return data.has(ending) ? emptyFile : { head: null, verdict: null };
  const file = new FileBytes(size, read, budget, readable);
  const isExtra = beside.has(ending) || !isData(ending);
  let head: Head | null = null;
  let degree: Degree = 'limit';
  /** Sidecar files may have any content. */
  const wrong = (verdict: Verdict, content?: Content): FileSays =>
    isExtra
      ? { head: null, verdict: null }
      : { head: null, verdict, degree: 'wrong-format', ...(content && { content }) };
  try {
    const start = await file.first(glimpse);
    const isEmptyAtStart = start.length > 3 && areZeros(start);
    if (!isData(ending)) return { head, verdict: null, ...(await zerosIn(file, isEmptyAtStart)) };
    const substitute = substituteIn(start, readers.get(ending) === readMarkup);
    if (substitute !== null) return { head, verdict: substitute, degree: 'wrong-format' };
    if (isEmptyAtStart && !raw.has(ending)) return wrong('zeros');
    const content = contentOf(start.subarray(0, 512));
    if (!raw.has(ending) && !fits(content, ending)) return wrong('otherFormat', content);
    if (texts.has(ending) && !isText(start.subarray(0, 512))) return wrong('otherFormat', content);
    const reader = ofPicture[content] ?? readers.get(ending);
    if (!reader)
      return { head, verdict: null, degree: 'no-reader', ...(await zerosIn(file, isEmptyAtStart)) };
    const opened = await reader(file, sidecar);
    head = opened.head;
    if (wants === 'head') return { head, verdict: null };
    let verdict = await opened.end(file, sidecar);
    if (verdict === 'otherFormat') {
      if (!ambiguous.has(ending)) return wrong(verdict, content);
      return { head, verdict: null, degree: 'no-reader', ...(await zerosIn(file, isEmptyAtStart)) };
    }
    degree = opened.degree ?? (head?.kind === 'zip' ? 'names-only' : 'read');
    const zeros: { readonly zeros?: Zeros } =
      verdict === null && opened.zerosAtEnd !== 'nothing' ? await zerosIn(file, isEmptyAtStart) : {};
    if (zeros.zeros && opened.zerosAtEnd === 'unfilled') verdict = 'zeros';
    if (deep && verdict === null) head = (await opened.deeper?.(unpackLaz ?? null)) ?? head;
    // A description without a position isn't a data file.
    const isDegree = !(isExtra && head === null);
    return { head, verdict, ...(isDegree && { degree }), ...(verdict === null && zeros) };
  } catch (thrown) {
    if (thrown instanceof PastEnd) return { head, verdict: 'tooShort', degree: 'read' };
    if (thrown instanceof ReadEnough)
      return { head, verdict: null, degree: file.wasRefused ? 'head-only' : degree };
    throw thrown;
  }
}

const ofPicture: Readonly<Partial<Record<Content, Reader<Head>>>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  webp: readWebp,
};

/** Doesn't judge short files. */
async function zerosIn(file: FileBytes, isEmptyAtStart: boolean): Promise<{ readonly zeros?: Zeros }> {
  if (file.size < glimpse) return {};
  if (isEmptyAtStart) return { zeros: 'begin' };
  if (!areZeros(await file.last(glimpse))) return {};
  const isLong = areZeros(await file.take(Math.floor(file.size * 0.75), Math.min(glimpse, file.size >> 2)));
  return { zeros: isLong ? 'end' : 'tail' };
}

/**
 * Detects failed downloads: a Git LFS pointer, a web page, or a server's XML error. `isMarkup`: XML is
 * expected.
 */
function substituteIn(bytes: Buffer, isMarkup: boolean): Verdict {
  const start = bytes.toString('latin1', 0, 512).replace(/^ï»¿/, '').trimStart();
  if (start.startsWith('version https://git-lfs.github.com/spec/')) return 'lfsPointer';
  const words = start.toLowerCase();
  if (/^<(!doctype\s+html|html)[\s>]/.test(words)) return 'webPage';
  const root = words.replace(/^<\?xml[^>]*\?>\s*/, '');
  if (/^<([a-z]+:)?(error|exceptionreport|serviceexceptionreport|serviceexception)[\s>]/.test(root))
    return 'serverError';
  return !isMarkup && words.startsWith('<?xml') ? 'serverError' : null;
}
