import type { JobFiles, JobView } from '../../preload/contract.ts';

const listedCount = 100;
const names: Readonly<Record<string, (number: string) => string>> = {
  CITYGML: (number) => `LoD2_${number}.gml`,
  '3D_CAPTURE': (number) => `flight-${number.slice(0, 2)}/DJI_${number}.JPG`,
  POINT_CLOUD: (number) => `block_${number}.laz`,
  RASTER_IMAGERY: (number) => `tiles/ortho_${number}.tif`,
  RASTER_TERRAIN: (number) => `dgm_${number}.asc`,
  TERRAIN_DATABASE: (number) => `elbe_${number}.terraindb`,
  '3D_MODEL': (number) => `st_marien_${number}.obj`,
  IFC_CUSTOM: (number) => `halle${Number(number)}.ifc`,
  KML: (number) => `campus_${number}.kml`,
};

/** A job's files of equal size that match its progress. */
export function filesOf({ fileCount, bytesTotal, bytesDone, sourceType, status }: JobView): JobFiles {
  const count = fileCount ?? 0;
  const size = count === 0 ? 0 : Math.round((bytesTotal ?? 0) / count);
  const allThere = status === 'complete' || size === 0 || bytesDone === bytesTotal;
  const doneCount = allThere ? count : Math.min(count, Math.floor(bytesDone / size));
  const name = names[sourceType] ?? ((number) => `data_${number}.bin`);
  const key = (index: number) => name(String(index + 1).padStart(4, '0'));
  const unfinishedCount = count - doneCount;
  return {
    unfinished: Array.from({ length: Math.min(listedCount, unfinishedCount) }, (_, index) => {
      return {
        key: key(doneCount + index),
        size,
        bytesDone: index === 0 ? bytesDone % Math.max(1, size) : 0,
      };
    }),
    done: Array.from({ length: Math.min(listedCount, doneCount) }, (_, index) => {
      return { key: key(doneCount - 1 - index), size, bytesDone: size };
    }),
    unfinishedCount,
    doneCount,
  };
}
