import type { AssetOptions } from './assets.ts';
import { findKind } from './kinds.ts';
import { requestedTerrain } from './tiling-options.ts';

/** Tiling options as the user chose them (contract 2.2). */

interface ChosenOptions {
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  /** Null: none; for clamping, the WGS84 ellipsoid. */
  readonly baseTerrainId: number | null;
  /** JSON object as text; `{}` for none. */
  readonly options: string;
}

/** Fields of the request itself. Further options must not contradict them. */
const ownFields = ['sourceType', 'clampToTerrain', 'baseTerrainId'];

/** Characters. */
export const maxOptionsLength = 100_000;

/** Omits options that are off or empty. */
export function creationOptions(chosen: ChosenOptions): AssetOptions {
  const { sourceType, clampToTerrain, options } = chosen;
  const baseTerrainId = requestedTerrain(chosen);
  return {
    ...furtherOptions(options),
    sourceType: sourceType.trim(),
    ...(clampToTerrain ? { clampToTerrain: true } : {}),
    ...(baseTerrainId === null ? {} : { baseTerrainId }),
  };
}

/** The request's body: `attribution` is a field of the request itself, and a kind may have another name. */
export function creationRequest<Body extends { readonly options: AssetOptions }>(body: Body) {
  const { attribution, ...options }: AssetOptions = body.options;
  const sourceType = findKind(options.sourceType)?.requestedAs ?? options.sourceType;
  return {
    ...body,
    ...(attribution === undefined ? {} : { attribution }),
    options: { ...options, sourceType },
  };
}

/** Whether the text is a JSON object without any of `ownFields`. */
export function isFurtherOptions(text: string): boolean {
  return parse(text) !== null;
}

/** Parses a text that passed `isFurtherOptions`. */
export function furtherOptions(text: string): Readonly<Record<string, unknown>> {
  return parse(text) ?? {};
}

/** The first of `ownFields` in a JSON object. */
export function ownFieldIn(text: string): string | undefined {
  const options = parseObject(text) ?? {};
  return ownFields.find((name) => Object.hasOwn(options, name));
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  return ownFieldIn(text) === undefined ? parseObject(text) : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}

/**
 * Adds the root of a tileset to further options (as text), unless they name one.
 *
 * @param root undefined for `tileset.json`
 */
export function withTilesetRoot(options: string, sourceType: string, root: string | undefined): string {
  if (root === undefined || sourceType !== '3DTILES') return options;
  return JSON.stringify({ tilesetJson: root, ...furtherOptions(options) });
}
