import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { planInspection } from '../../../../main/inspect/headers/choose.ts';
import { taskAt } from '../../../../main/inspect/headers/header-task.ts';
import { readHeaderOf } from '../../../../main/inspect/headers/inspection-tasks.ts';

/** GDAL's results for a raster (tools/sense/corpus/ask-oracles.py). */
export interface RasterSays {
  readonly bands: number;
  readonly bits: number;
  readonly sample: string;
  readonly noData: number | 'nan' | null;
  readonly palette: boolean;
  /** `EPSG:25832`, or a name without a code (`coded` is false then). */
  readonly system: string | null;
  readonly coded?: boolean;
  readonly vertical?: string | null;
  /** Code of the compound system. */
  readonly whole?: string | null;
  readonly nature?: 'engineering' | 'geocentric' | 'elsewhere';
  /** Ordered as by the reader: anticlockwise from the first corner of the last row. */
  readonly corners: readonly (readonly [number, number])[] | null;
  /** In degrees, upper left first, closed. */
  readonly extent: readonly (readonly [number, number])[] | null;
  /** PROJ's transformation to WGS 84 needs a grid, which our table lacks. */
  readonly grid: boolean;
}

/** Results for a LAS file from an independent reader of the specification. */
export interface CloudSays extends Pick<RasterSays, 'system' | 'coded' | 'vertical' | 'whole' | 'nature'> {
  readonly version: string;
  readonly count: number;
  readonly compressed: boolean;
  readonly box: readonly number[] | null;
}

const read = (name: string) => readFileSync(join(import.meta.dirname, name));

/** Complete files by name, including sidecars. */
export const files: ReadonlyMap<string, Buffer> = new Map(
  Object.entries<string>(JSON.parse(gunzipSync(read('files.json.gz')).toString())).map(([name, text]) => [
    name,
    Buffer.from(text, 'base64'),
  ]),
);

const oracle: Readonly<Record<string, RasterSays & CloudSays>> = JSON.parse(
  read('says.json').toString(),
).files;

/** Files with one of the extensions, and the oracle's results. */
export const saysOf = (
  ...endings: readonly string[]
): readonly (readonly [string, RasterSays & CloudSays])[] =>
  Object.entries(oracle).filter(([name]) => endings.some((extension) => name.endsWith(extension)));

/** Inspects all of them in a folder with their sidecars, as a scan does. */
export async function lookAtAll(): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof readHeaderOf>>>> {
  const folder = mkdtempSync(join(tmpdir(), 'tilelift-corpus-'));
  try {
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    const allFiles = [...files].map(([key, { length: size }]) => ({
      key,
      path: join(folder, key),
      size,
      mtimeMs: 0,
    }));
    const plan = planInspection(allFiles);
    const results = new Map<string, Awaited<ReturnType<typeof readHeaderOf>>>();
    for (const index of plan.order) {
      const task = taskAt(allFiles, index, plan);
      results.set(task.key, await readHeaderOf(task));
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
