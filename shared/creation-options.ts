import type { AssetOptions } from './assets.ts';

/** The options of the tiling as a person chose them, and as they go into the request (contract 2.2). */

interface ChosenOptions {
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  /** Null: the WGS84 ellipsoid. */
  readonly baseTerrainId: number | null;
  /** Further options, a JSON object as text; `{}` for none. */
  readonly options: string;
}

/** Options that have a field of their own in the request: named twice, they could contradict each other. */
const ownFields = ['sourceType', 'clampToTerrain', 'baseTerrainId'];

/** The longest text of further options, characters. */
export const maxOptionsLength = 100_000;

/** Those that are off or empty are left out. */
export function creationOptions(chosen: ChosenOptions): AssetOptions {
  const { sourceType, clampToTerrain, baseTerrainId, options } = chosen;
  return {
    ...furtherOptions(options),
    sourceType: sourceType.trim(),
    ...(clampToTerrain ? { clampToTerrain: true } : {}),
    ...(clampToTerrain && baseTerrainId !== null ? { baseTerrainId } : {}),
  };
}

/** Whether a text is a JSON object that names none of the options with a field of their own. */
export function isFurtherOptions(text: string): boolean {
  return parse(text) !== null;
}

/** The options of a checked text. */
export function furtherOptions(text: string): Readonly<Record<string, unknown>> {
  return parse(text) ?? {};
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    if (ownFields.some((name) => Object.hasOwn(value, name))) return null;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}
