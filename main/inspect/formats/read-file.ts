import { readZip, sevenZipEnd, type ZipHead, zipEnd } from './archives/zip.ts';
import { FileBytes, PastEnd, ReadEnough } from './base/file-bytes.ts';
import type { Beside, Check, Reader, UnpackLaz, Verdict } from './base/format.ts';
import { dbaseEnd, fbxEnd, hdf5End, parquetEnd, shapeEnd, sqliteEnd, tileEnd } from './base/lengths.ts';
import { jsonEnd, stepEnd } from './base/texts.ts';
import { type GmlHead, readMarkup } from './documents/markup.ts';
import type { CaptureHead } from './models/capture.ts';
import { readGlb, readGltf } from './models/gltf.ts';
import { type ModelHead, readObj } from './models/model.ts';
import { readPly } from './models/ply.ts';
import { readBmp, readDds, readGif, readKtx2, readWebp, type TextureHead } from './models/textures.ts';
import { type LasHead, readLas } from './points/las.ts';
import { e57End } from './points/points.ts';
import { type GridHead, type PlainHead, readAsciiGrid, readPlainRaster } from './raster/grids.ts';
import { type ImagineHead, readImagine } from './raster/hfa.ts';
import { type JpegHead, readJpeg } from './raster/jpeg.ts';
import { netcdfEnd } from './raster/netcdf.ts';
import { jp2End, type PngHead, readPng } from './raster/pictures.ts';
import { readTiff, type TiffHead } from './raster/tiff.ts';
import { type DemHead, readUsgsDem } from './raster/usgs-dem.ts';
import { flatGeobufEnd } from './vector/flatgeobuf.ts';

export type Head =
  | CaptureHead
  | DemHead
  | GmlHead
  | GridHead
  | ImagineHead
  | JpegHead
  | LasHead
  | ModelHead
  | PlainHead
  | PngHead
  | TextureHead
  | TiffHead
  | ZipHead;

/** A format of which only the end is told. */
const endOf =
  (end: Check): Reader<Head> =>
  async () => ({ head: null, end });

/** Formats by their endings. */
const formats: readonly (readonly [Reader<Head>, readonly string[]])[] = [
  [readTiff, ['.tif', '.tiff', '.gtiff', '.btf', '.tf8', '.ovr', '.msk']],
  [readZip, ['.zip', '.kmz']],
  [endOf(zipEnd), ['.3tz', '.usdz', '.slpk']],
  [endOf(sevenZipEnd), ['.7z']],
  [readLas, ['.las', '.laz']],
  [endOf(e57End), ['.e57']],
  [readPly, ['.ply']],
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
  [endOf(shapeEnd), ['.shp', '.shx']],
  [endOf(dbaseEnd), ['.dbf']],
  [endOf(sqliteEnd), ['.mbtiles', '.gpkg', '.sqlite', '.terraindb']],
  [endOf(parquetEnd), ['.parquet', '.geoparquet']],
  [endOf(flatGeobufEnd), ['.fgb']],
  [readGlb, ['.glb']],
  [readGltf, ['.gltf']],
  [endOf(tileEnd), ['.b3dm', '.i3dm', '.pnts', '.cmpt']],
  [endOf(fbxEnd), ['.fbx']],
  [endOf(stepEnd), ['.ifc']],
  [endOf(jsonEnd), ['.geojson', '.cityjson']],
  [readMarkup, ['.gml', '.kml', '.dae', '.xml', '.vrt', '.citygml']],
];
const readers: ReadonlyMap<string, Reader<Head>> = new Map(
  formats.flatMap(([read, endings]) => endings.map((ending) => [ending, read] as const)),
);

/** Data whose end nothing tells. */
const endless = ['.dwg', '.rvt', '.xyz', '.hgt', '.ecw', '.sid', '.osgb', '.dt0', '.dt1', '.dt2'];
/** Files beside data, which may well be empty. */
const beside = new Set(['.xml', '.ovr', '.msk']);
const data: ReadonlySet<string> = new Set([
  ...[...readers.keys()].filter((ending) => !beside.has(ending)),
  ...endless,
]);

/**
 * Whether files of this ending hold data of which something can be said here. In lower case, with its dot.
 */
export const isData = (ending: string): boolean => data.has(ending) || readers.has(ending);

interface FileToRead {
  /** In lower case, with its dot. */
  readonly ending: string;
  readonly size: number;
  /** As many of these bytes as there are. */
  read(at: number, length: number): Promise<Buffer>;
  readonly beside: Beside;
  /** Bytes that may be read; the usual without. */
  readonly budget?: number;
  /** Some of the data itself is looked at too. */
  readonly deep?: boolean;
  /** Without it, packed points are not looked at. */
  readonly unpackLaz?: UnpackLaz;
}

/** What a file says of itself. */
interface FileSays {
  /**
   * Null for what can't be read, is not what its ending says, or of whose format nothing but the end is told.
   */
  readonly head: Head | null;
  readonly verdict: Verdict;
}

/**
 * What the head of a file says and, unless only that is asked, whether the file ends as its own format says
 * that it must, by reading little of it: every place and count that it gives is held against its size.
 * Nothing is wrong with formats that don’t say, nor with a file that is something else than its ending tells:
 * that is for the service to judge, and waiting would not mend it.
 */
export async function readFile(
  { ending, size, read, beside, budget, deep = false, unpackLaz }: FileToRead,
  wants: 'head' | 'both' = 'both',
): Promise<FileSays> {
  if (!isData(ending)) return { head: null, verdict: null };
  if (size === 0) return { head: null, verdict: data.has(ending) ? 'empty' : null };
  const file = new FileBytes(size, read, budget);
  const reader = readers.get(ending);
  let head: Head | null = null;
  try {
    const wrong = await firstWords(file, reader === readMarkup);
    if (wrong !== null || !reader) return { head, verdict: wrong };
    const opened = await reader(file, beside);
    head = opened.head;
    if (wants === 'head') return { head, verdict: null };
    const verdict = await opened.end(file, beside);
    if (deep && verdict === null) head = (await opened.deeper?.(unpackLaz ?? null)) ?? head;
    return { head, verdict };
  } catch (thrown) {
    if (thrown instanceof PastEnd) return { head, verdict: 'tooShort' };
    if (thrown instanceof ReadEnough) return { head, verdict: null };
    throw thrown;
  }
}

/**
 * What stands in place of data when fetching it went wrong: Git leaves a pointer where a large file was not
 * fetched, servers answer with a page or with an XML document that holds their error. `isText`: the format
 * itself is XML.
 */
async function firstWords(file: FileBytes, isMarkup: boolean): Promise<Verdict> {
  const start = (await file.first(512)).toString('latin1').replace(/^ï»¿/, '').trimStart();
  if (start.startsWith('version https://git-lfs.github.com/spec/')) return 'lfsPointer';
  const words = start.toLowerCase();
  if (/^<(!doctype\s+html|html)[\s>]/.test(words)) return 'webPage';
  const root = words.replace(/^<\?xml[^>]*\?>\s*/, '');
  if (/^<([a-z]+:)?(error|exceptionreport|serviceexceptionreport|serviceexception)[\s>]/.test(root))
    return 'serverError';
  return !isMarkup && words.startsWith('<?xml') ? 'serverError' : null;
}
