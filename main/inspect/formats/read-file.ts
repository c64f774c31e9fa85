import type { Degree } from '../../../shared/degrees.ts';
import { readZip, sevenZipEnd, type ZipHead, zipEnd } from './archives/zip.ts';
import { type Content, contentOf, fitsExtension } from './base/content.ts';
import { FileBytes, isAllZeros, PastEndError, ReadLimitError, zeroProbeLength } from './base/file-bytes.ts';
import {
  type Check,
  type Reader,
  type ReadSidecar,
  type UnpackLaz,
  unrecognizedFile,
  type Verdict,
} from './base/format.ts';
import { dbaseEnd, fbxEnd, hdf5End, parquetEnd, shapeEnd, sqliteEnd, tileEnd } from './base/lengths.ts';
import { isPlainText, jsonEnd } from './base/texts.ts';
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

const createEndReader =
  (end: Check, zerosAtEnd?: 'unfilled'): Reader<Head> =>
  async () => ({ head: null, end, degree: 'end-only', ...(zerosAtEnd && { zerosAtEnd }) });

const createSignatureReader =
  (signature: string): Reader<Head> =>
  async (file) =>
    (await file.startsWith(signature))
      ? { head: null, end: () => null, degree: 'no-reader' }
      : unrecognizedFile;

const formats: readonly (readonly [Reader<Head>, readonly string[]])[] = [
  [readTiff, ['.tif', '.tiff', '.gtiff', '.btf', '.tf8', '.ovr', '.msk']],
  [readZip, ['.zip', '.kmz', '.3tz']],
  [createEndReader(zipEnd), ['.usdz', '.slpk']],
  [createEndReader(sevenZipEnd, 'unfilled'), ['.7z']],
  [readLas, ['.las', '.laz']],
  [createEndReader(e57End, 'unfilled'), ['.e57']],
  [readPly, ['.ply']],
  [readSpz, ['.spz']],
  [readSplat, ['.splat', '.ksplat']],
  [readSog, ['.sog']],
  [readObj, ['.obj']],
  [readJpeg, ['.jpg', '.jpeg']],
  [createEndReader(jp2End), ['.jp2', '.jpx', '.jpf', '.j2k', '.j2c', '.jpc']],
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
  [createEndReader(netcdfEnd), ['.nc', '.nc4', '.cdf']],
  [createEndReader(hdf5End), ['.h5', '.hdf5', '.hdf', '.he5', '.bag', '.kea']],
  [createEndReader(shapeEnd, 'unfilled'), ['.shp', '.shx']],
  [createEndReader(dbaseEnd), ['.dbf']],
  [createEndReader(sqliteEnd), ['.mbtiles', '.gpkg', '.sqlite', '.terraindb']],
  [createEndReader(parquetEnd), ['.parquet', '.geoparquet']],
  [createEndReader(flatGeobufEnd, 'unfilled'), ['.fgb']],
  [readGlb, ['.glb']],
  [readGltf, ['.gltf']],
  [createEndReader(tileEnd), ['.b3dm', '.i3dm', '.pnts', '.cmpt']],
  [createEndReader(fbxEnd, 'unfilled'), ['.fbx']],
  [readIfc, ['.ifc']],
  [readIfcZip, ['.ifczip']],
  [readJson, ['.json']],
  [readFeatures, ['.geojson', '.topojson', '.czml']],
  [createEndReader(jsonEnd), ['.cityjson']],
  [createSignatureReader('AC'), ['.dwg']],
  [createSignatureReader('\xd0\xcf\x11\xe0'), ['.rvt']],
  [readMarkup, ['.gml', '.kml', '.dae', '.xml', '.vrt', '.citygml']],
];
const readersByExtension: ReadonlyMap<string, Reader<Head>> = new Map(
  formats.flatMap(([read, extensions]) => extensions.map((extension) => [extension, read] as const)),
);

/** Data formats that no reader knows, or that don't state their end. */
const endlessExtensions = [
  ...['.xyz', '.pts', '.ptx', '.rcp', '.rcs', '.hgt', '.dt0', '.dt1', '.dt2', '.ecw', '.sid', '.e00'],
  ...['.osgb', '.osgt', '.3mx', '.3mxb', '.3sm', '.s3c', '.pod', '.terrain', '.subtree', '.mdb'],
  ...['.stl', '.3ds', '.blend', '.max', '.skp', '.dgn', '.dxf'],
];
/** Sidecar files, which may be empty. */
const sidecarExtensions = new Set(['.xml', '.json', '.ovr', '.msk']);
const dataExtensions: ReadonlySet<string> = new Set([
  ...[...readersByExtension.keys()].filter((extension) => !sidecarExtensions.has(extension)),
  ...endlessExtensions,
]);

/** Whether files of this extension (lower case, with dot) can be checked. */
export const isDataExtension = (extension: string): boolean =>
  dataExtensions.has(extension) || readersByExtension.has(extension);

interface FileToRead {
  /** Lower case, with dot. */
  readonly extension: string;
  readonly size: number;
  read(offset: number, length: number): Promise<Buffer>;
  readonly readSidecar: ReadSidecar;
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
export interface FileContents {
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

const emptyFile: FileContents = { head: null, verdict: 'empty', degree: 'read' };

/** Headerless formats, whose numbers may begin with zeros. */
const rawExtensions = new Set(['.bil', '.bip', '.bsq', '.flt', '.img', '.hgt', '.dem']);
const ambiguousExtensions = new Set(['.img', '.asc', '.agr']);
const textExtensions = new Set([
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

/** Reads the header and checks the end. Compares offsets and counts with the size, so it reads little. */
export async function readFile({
  extension,
  size,
  read,
  readSidecar,
  budget,
  readable,
  deep = false,
  unpackLaz,
}: FileToRead): Promise<FileContents> {
  if (size === 0) return dataExtensions.has(extension) ? emptyFile : { head: null, verdict: null };
  const file = new FileBytes(size, read, budget, readable);
  const isSidecar = sidecarExtensions.has(extension) || !isDataExtension(extension);
  let head: Head | null = null;
  let degree: Degree = 'limit';
  /** Sidecar files may have any content. */
  const wrongFormat = (verdict: Verdict, content?: Content): FileContents =>
    isSidecar
      ? { head: null, verdict: null }
      : { head: null, verdict, degree: 'wrong-format', ...(content && { content }) };
  try {
    const start = await file.readStart(zeroProbeLength);
    const isEmptyAtStart = start.length > 3 && isAllZeros(start);
    if (!isDataExtension(extension))
      return { head, verdict: null, ...(await findZeros(file, isEmptyAtStart)) };
    const substitute = findSubstitute(start, readersByExtension.get(extension) === readMarkup);
    if (substitute !== null) return { head, verdict: substitute, degree: 'wrong-format' };
    if (isEmptyAtStart && !rawExtensions.has(extension)) return wrongFormat('zeros');
    const content = contentOf(start.subarray(0, 512));
    if (!rawExtensions.has(extension) && !fitsExtension(content, extension))
      return wrongFormat('otherFormat', content);
    if (textExtensions.has(extension) && !isPlainText(start.subarray(0, 512)))
      return wrongFormat('otherFormat', content);
    const reader = pictureReaders[content] ?? readersByExtension.get(extension);
    if (!reader)
      return { head, verdict: null, degree: 'no-reader', ...(await findZeros(file, isEmptyAtStart)) };
    const openedFile = await reader(file, readSidecar);
    head = openedFile.head;
    let verdict = await openedFile.end(file, readSidecar);
    if (verdict === 'otherFormat') {
      if (!ambiguousExtensions.has(extension)) return wrongFormat(verdict, content);
      return { head, verdict: null, degree: 'no-reader', ...(await findZeros(file, isEmptyAtStart)) };
    }
    degree = openedFile.degree ?? (head?.kind === 'zip' ? 'names-only' : 'read');
    const zeros: { readonly zeros?: Zeros } =
      verdict === null && openedFile.zerosAtEnd !== 'nothing' ? await findZeros(file, isEmptyAtStart) : {};
    if (zeros.zeros && openedFile.zerosAtEnd === 'unfilled') verdict = 'zeros';
    if (deep && verdict === null) head = (await openedFile.readSamples?.(unpackLaz ?? null)) ?? head;
    // A description without a position isn't a data file.
    const hasDegree = !isSidecar || head !== null || (extension === '.json' && openedFile.degree);
    return { head, verdict, ...(hasDegree && { degree }), ...(verdict === null && zeros) };
  } catch (error) {
    if (error instanceof PastEndError) return { head, verdict: 'tooShort', degree: 'read' };
    if (error instanceof ReadLimitError)
      return { head, verdict: null, degree: file.wasRefused ? 'head-only' : degree };
    throw error;
  }
}

const pictureReaders: Readonly<Partial<Record<Content, Reader<Head>>>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  webp: readWebp,
};

/** Doesn't judge short files. */
async function findZeros(file: FileBytes, isEmptyAtStart: boolean): Promise<{ readonly zeros?: Zeros }> {
  if (file.size < zeroProbeLength) return {};
  if (isEmptyAtStart) return { zeros: 'begin' };
  if (!isAllZeros(await file.readEnd(zeroProbeLength))) return {};
  const isLongRun = isAllZeros(
    await file.read(Math.floor(file.size * 0.75), Math.min(zeroProbeLength, file.size >> 2)),
  );
  return { zeros: isLongRun ? 'end' : 'tail' };
}

/**
 * Detects failed downloads: a Git LFS pointer, a web page, or a server's XML error. `isMarkup`: XML is
 * expected.
 */
function findSubstitute(bytes: Buffer, isMarkup: boolean): Verdict {
  const start = bytes.toString('latin1', 0, 512).replace(/^ï»¿/, '').trimStart();
  if (start.startsWith('version https://git-lfs.github.com/spec/')) return 'lfsPointer';
  const lowerCaseStart = start.toLowerCase();
  if (/^<(!doctype\s+html|html)[\s>]/.test(lowerCaseStart)) return 'webPage';
  const root = lowerCaseStart.replace(/^<\?xml[^>]*\?>\s*/, '');
  if (/^<([a-z]+:)?(error|exceptionreport|serviceexceptionreport|serviceexception)[\s>]/.test(root))
    return 'serverError';
  return !isMarkup && lowerCaseStart.startsWith('<?xml') ? 'serverError' : null;
}
