import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { planLooks } from '../../../../main/inspect/headers/choose.ts';
import { taskAt } from '../../../../main/inspect/headers/head-task.ts';
import { readHeadOf } from '../../../../main/inspect/headers/look-tasks.ts';

/** What GDAL says of a raster (tools/sense/corpus/ask-oracles.py). */
export interface RasterSays {
  readonly bands: number;
  readonly bits: number;
  readonly sample: string;
  readonly noData: number | 'nan' | null;
  readonly palette: boolean;
  /** `EPSG:25832`; a name where there is no code, `coded` false then. */
  readonly system: string | null;
  readonly coded?: boolean;
  readonly vertical?: string | null;
  /** Of both together. */
  readonly whole?: string | null;
  readonly nature?: 'engineering' | 'geocentric' | 'elsewhere';
  /** As the reader gives them: from the first corner of the last row, anticlockwise. */
  readonly corners: readonly (readonly [number, number])[] | null;
  /** In degrees, upper left first, closed. */
  readonly extent: readonly (readonly [number, number])[] | null;
  /** PROJ's way to WGS 84 is in a grid, which is not in our table. */
  readonly grid: boolean;
}

/** What a reader of its own, written from the specification, says of a LAS file. */
export interface CloudSays extends Pick<RasterSays, 'system' | 'coded' | 'vertical' | 'whole' | 'nature'> {
  readonly version: string;
  readonly count: number;
  readonly compressed: boolean;
  readonly box: readonly number[] | null;
}

const read = (name: string) => readFileSync(join(import.meta.dirname, name));

/** Whole files by their names, and what stands beside some. */
export const files: ReadonlyMap<string, Buffer> = new Map(
  Object.entries<string>(JSON.parse(gunzipSync(read('files.json.gz')).toString())).map(([name, text]) => [
    name,
    Buffer.from(text, 'base64'),
  ]),
);

const says: Readonly<Record<string, RasterSays & CloudSays>> = JSON.parse(read('says.json').toString()).files;

/** Those that have one of the endings, and what the oracle says of each. */
export const saysOf = (
  ...endings: readonly string[]
): readonly (readonly [string, RasterSays & CloudSays])[] =>
  Object.entries(says).filter(([name]) => endings.some((ending) => name.endsWith(ending)));

/** Looks into all of them as a survey does: in a folder, with what stands beside them. */
export async function lookAtAll(): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof readHeadOf>>>> {
  const folder = mkdtempSync(join(tmpdir(), 'tilelift-corpus-'));
  try {
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    const all = [...files].map(([key, { length: size }]) => ({
      key,
      path: join(folder, key),
      size,
      mtimeMs: 0,
    }));
    const plan = planLooks(all);
    const looks = new Map<string, Awaited<ReturnType<typeof readHeadOf>>>();
    for (const index of plan.order) {
      const task = taskAt(all, index, plan);
      looks.set(task.key, await readHeadOf(task));
    }
    return looks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
