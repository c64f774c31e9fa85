import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogues } from '../../say.ts';
import { parseJson } from '../../service/answer.ts';
import type { Settings } from '../../settings.ts';

/** Of the settings, what the window opens with. */
type FirstLook = Readonly<Pick<Settings, 'appearance' | 'language' | 'window'>>;

/**
 * Reads it from `settings.json` of the folder, whatever is in it, as `settings.ts` would: without the schemas
 * of everything else, which take longer to build than the window to open. Never throws.
 */
export function readFirstLook(folder: string): FirstLook {
  try {
    return firstLook(parseJson(readFileSync(join(folder, 'settings.json'), 'utf8')));
  } catch {
    // There is none yet, or it can't be read, which is said where all of it is.
    return firstLook({});
  }
}

/** Pure. */
export function firstLook(stored: unknown): FirstLook {
  const { appearance, language, window } = recordOf(stored);
  return {
    appearance: appearance === 'light' || appearance === 'dark' ? appearance : 'system',
    language: typeof language === 'string' && catalogues.has(language) ? language : 'system',
    window: place(recordOf(window)),
  };
}

/** As a whole or not at all. */
function place(given: Readonly<Record<string, unknown>>): FirstLook['window'] {
  const read: { -readonly [Name in keyof FirstLook['window']]: FirstLook['window'][Name] } = {};
  for (const name of ['x', 'y', 'width', 'height'] as const) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) return {};
    read[name] = value;
  }
  const { maximized } = given;
  if (maximized === undefined) return read;
  return typeof maximized === 'boolean' ? { ...read, maximized } : {};
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
