import { sevenZipEnd, zipEnd } from './archive-end.ts';
import { FileBytes, PastEnd, ReadEnough } from './file-bytes.ts';
import { firstWords } from './first-words.ts';
import { flatGeobufEnd } from './flatgeobuf-end.ts';
import { asciiGridEnd, plainRasterEnd } from './grid-ends.ts';
import { hfaEnd } from './hfa-end.ts';
import {
  dbaseEnd,
  fbxEnd,
  glbEnd,
  hdf5End,
  parquetEnd,
  shapeEnd,
  sqliteEnd,
  tileEnd,
} from './length-ends.ts';
import { netcdfEnd } from './netcdf-end.ts';
import { bmpEnd, gifEnd, jp2End, jpegEnd, pngEnd, webpEnd } from './picture-ends.ts';
import { e57End, lasEnd, plyEnd } from './point-ends.ts';
import { jsonEnd, markupEnd, stepEnd } from './text-ends.ts';
import { tiffEnd } from './tiff-end.ts';
import type { Beside, Check, Verdict } from './verdict.ts';

/** Formats by their endings. */
const formats: readonly (readonly [Check, readonly string[]])[] = [
  [tiffEnd, ['.tif', '.tiff', '.gtiff', '.btf', '.tf8', '.ovr', '.msk']],
  [zipEnd, ['.zip', '.kmz', '.3tz', '.usdz', '.slpk']],
  [sevenZipEnd, ['.7z']],
  [lasEnd, ['.las', '.laz']],
  [e57End, ['.e57']],
  [plyEnd, ['.ply']],
  [jpegEnd, ['.jpg', '.jpeg']],
  [jp2End, ['.jp2', '.jpx', '.jpf', '.j2k', '.j2c', '.jpc']],
  [pngEnd, ['.png']],
  [gifEnd, ['.gif']],
  [bmpEnd, ['.bmp']],
  [webpEnd, ['.webp']],
  [hfaEnd, ['.img']],
  [plainRasterEnd, ['.bil', '.bip', '.bsq', '.flt']],
  [asciiGridEnd, ['.asc', '.agr']],
  [netcdfEnd, ['.nc', '.nc4', '.cdf']],
  [hdf5End, ['.h5', '.hdf5', '.hdf', '.he5', '.bag', '.kea']],
  [shapeEnd, ['.shp', '.shx']],
  [dbaseEnd, ['.dbf']],
  [sqliteEnd, ['.mbtiles', '.gpkg', '.sqlite', '.terraindb']],
  [parquetEnd, ['.parquet', '.geoparquet']],
  [flatGeobufEnd, ['.fgb']],
  [glbEnd, ['.glb']],
  [tileEnd, ['.b3dm', '.i3dm', '.pnts', '.cmpt']],
  [fbxEnd, ['.fbx']],
  [stepEnd, ['.ifc']],
  [jsonEnd, ['.gltf', '.geojson', '.cityjson']],
  [markupEnd, ['.gml', '.kml', '.dae', '.xml', '.vrt', '.citygml']],
];
const checks: ReadonlyMap<string, Check> = new Map(
  formats.flatMap(([check, endings]) => endings.map((ending) => [ending, check] as const)),
);

/** Data whose end nothing tells. */
const endless = [
  '.obj',
  '.dem',
  '.dwg',
  '.rvt',
  '.xyz',
  '.hgt',
  '.ecw',
  '.sid',
  '.osgb',
  '.dt0',
  '.dt1',
  '.dt2',
];
/** Files beside data, which may well be empty. */
const beside = new Set(['.xml', '.ovr', '.msk']);
const data: ReadonlySet<string> = new Set([
  ...[...checks.keys()].filter((ending) => !beside.has(ending)),
  ...endless,
]);

/** Whether files of this ending hold data of which something can be said here. In lower case, with its dot. */
export const isData = (ending: string): boolean => data.has(ending) || checks.has(ending);

export interface FileToEnd {
  /** In lower case, with its dot. */
  readonly ending: string;
  readonly size: number;
  /** As many of these bytes as there are. */
  read(at: number, length: number): Promise<Buffer>;
  readonly beside: Beside;
  /** Bytes that may be read; the usual without. */
  readonly budget?: number;
}

/**
 * Whether a file ends as its own format says that it must, by reading little of it: every place and count that it gives is held against its size. Nothing is
 * wrong with formats that don’t say, nor with a file that is something else than its ending tells: that is for the service to judge, and waiting would not
 * mend it.
 */
export async function fileEnd({ ending, size, read, beside, budget }: FileToEnd): Promise<Verdict> {
  if (!isData(ending)) return null;
  if (size === 0) return data.has(ending) ? 'empty' : null;
  const file = new FileBytes(size, read, budget);
  const check = checks.get(ending);
  try {
    return (await firstWords(file, check === markupEnd)) ?? (await check?.(file, beside)) ?? null;
  } catch (thrown) {
    if (thrown instanceof PastEnd) return 'tooShort';
    if (thrown instanceof ReadEnough) return null;
    throw thrown;
  }
}
