import type { FileBytes } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';
import { parseJson } from '../base/json.ts';
import { jsonEnd, trimEndPadding } from '../base/texts.ts';
import { headOfTileset, isTileset, type TilesetHead } from '../models/tileset.ts';
import { type FeaturesHead, headOfFeatures } from '../vector/features.ts';

/** Ends like JSON but is invalid. */
export interface BrokenJsonHead {
  readonly kind: 'broken-json';
}

/** Bytes; longer documents are checked only at the end. */
export const maxTilesetLength = 16 * 1024 * 1024;
const maxFeaturesLength = 4 * 1024 * 1024;
const beginningLength = 1_024;

const startOf = async (file: FileBytes): Promise<string> =>
  (await file.readStart(beginningLength))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();

/** Reads tilesets only. Features and CityJSON are data; other JSON may be settings or notes. */
export async function readJson(file: FileBytes): Promise<Opened<TilesetHead | BrokenJsonHead>> {
  const beginning = await startOf(file);
  const isData = /^\{[^{}]*"type"\s*:\s*"(?:FeatureCollection|Topology|CityJSON)"/.test(beginning);
  if (!looksLikeTileset(beginning))
    return isData ? { head: null, end: jsonEnd, degree: 'end-only' } : { head: null, end: () => null };
  const document = await readDocument(file, maxTilesetLength);
  const head = document === undefined || !isTileset(document) ? null : headOfTileset(document);
  return { head: document === 'broken' ? { kind: 'broken-json' } : head, end: jsonEnd };
}

/** GeoJSON, TopoJSON and CZML. */
export async function readFeatures(file: FileBytes): Promise<Opened<FeaturesHead | BrokenJsonHead>> {
  if (!/^[[{]/.test(await startOf(file))) return { head: null, end: jsonEnd, degree: 'end-only' };
  const document = await readDocument(file, maxFeaturesLength);
  const head = document === 'broken' ? ({ kind: 'broken-json' } as const) : headOfFeatures(document);
  return { head, end: jsonEnd, ...(head === null && { degree: 'end-only' as const }) };
}

/** Whether a JSON document with this beginning may be a tileset. */
export const looksLikeTileset = (beginning: string): boolean =>
  /^\s*\{/.test(beginning) && /"asset"\s*:\s*\{|"(?:geometricError|boundingVolume)"\s*:/.test(beginning);

/** Undefined if too long. */
async function readDocument(file: FileBytes, maxLength: number): Promise<unknown> {
  const bytes = await file.readWhole(maxLength);
  if (!bytes) return undefined;
  const text = trimEndPadding(bytes.toString('utf8'));
  const document = parseJson(text);
  if (document !== undefined) return document;
  // One feature per line (RFC 8142) isn't a single document.
  return parseJson(text.split('\n', 1)[0] ?? '') === undefined ? 'broken' : undefined;
}
