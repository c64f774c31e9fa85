import type { FileBytes } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';
import { parseJson } from '../base/json.ts';
import { jsonEnd, trimmed } from '../base/texts.ts';
import { headOfTileset, isTileset, type TilesetHead } from '../models/tileset.ts';
import { type FeaturesHead, headOfFeatures } from '../vector/features.ts';

/** It ends as JSON does, and isn't JSON all the same. */
export interface BrokenJsonHead {
  readonly kind: 'broken-json';
}

/** Of longer documents only the end is checked, bytes. */
export const longestTileset = 16 * 1024 * 1024;
const longestFeatures = 4 * 1024 * 1024;
/** By which a document that is called `.json` shows what it is. */
const beginningLength = 1_024;

const start = async (file: FileBytes): Promise<string> =>
  (await file.first(beginningLength))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();

/** JSON of any kind: only tilesets are read, and nothing is said of the settings and notes beside data. */
export async function readJson(file: FileBytes): Promise<Opened<TilesetHead | BrokenJsonHead>> {
  const beginning = await start(file);
  const isFeatures = /^\{[^{}]*"type"\s*:\s*"(?:FeatureCollection|Topology)"/.test(beginning);
  if (!beginsTileset(beginning)) return { head: null, end: isFeatures ? jsonEnd : () => null };
  const document = await documentIn(file, longestTileset);
  const head = document === undefined || !isTileset(document) ? null : headOfTileset(document);
  return { head: document === 'broken' ? { kind: 'broken-json' } : head, end: jsonEnd };
}

/** GeoJSON, TopoJSON and CZML. */
export async function readFeatures(file: FileBytes): Promise<Opened<FeaturesHead | BrokenJsonHead>> {
  if (!/^[[{]/.test(await start(file))) return { head: null, end: jsonEnd };
  const document = await documentIn(file, longestFeatures);
  return { head: document === 'broken' ? { kind: 'broken-json' } : headOfFeatures(document), end: jsonEnd };
}

/** Whether the beginning of a JSON document may be that of a tileset. */
export const beginsTileset = (beginning: string): boolean =>
  /^\s*\{/.test(beginning) && /"asset"\s*:\s*\{|"(?:geometricError|boundingVolume)"\s*:/.test(beginning);

/** Undefined where the document is too long. */
async function documentIn(file: FileBytes, most: number): Promise<unknown> {
  const bytes = await file.whole(most);
  if (!bytes) return undefined;
  const text = trimmed(bytes.toString('utf8'));
  const document = parseJson(text);
  if (document !== undefined) return document;
  // A feature in each line (RFC 8142) is no one document.
  return parseJson(text.split('\n', 1)[0] ?? '') === undefined ? 'broken' : undefined;
}
