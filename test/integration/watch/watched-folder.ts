import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { WatchRule } from '../../../main/watch/model/rule.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { tiff } from '../../deliveries/data.ts';
import { beginningOf } from '../../unit/inspect/together/beginnings.ts';

/** A watched folder on disk, removed at the end. */
export interface WatchedFolder extends AsyncDisposable {
  readonly path: string;
  /** Writes files with their own path as content. Rasters are complete. */
  put(...names: readonly string[]): Promise<void>;
  /** Writes files whose beginning matches their extension. */
  putData(...names: readonly string[]): Promise<void>;
  write(name: string, content: string | Buffer): Promise<void>;
  rule(changes?: Partial<WatchRule>): WatchRule;
}

export async function createWatchedFolder(): Promise<WatchedFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'tilelift-watch-')));
  const write = async (name: string, content: string | Buffer) => {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  };
  return {
    path,
    write,
    put: async (...names) => {
      for (const name of names) await write(name, name.endsWith('.tif') ? tiff(name) : name);
    },
    putData: async (...names) => {
      for (const name of names) await write(name, Buffer.concat([beginningOf(name), Buffer.from(name)]));
    },
    rule: (changes = {}) =>
      aWatchRule({ assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY', folder: path, ...changes }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
