import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogues } from '../../say.ts';
import { parseJson } from '../../service/answer.ts';
import type { Settings } from '../../settings.ts';

type FirstLook = Readonly<Pick<Settings, 'appearance' | 'language' | 'window'>>;

/**
 * Reads only these values: building all schemas of `settings.ts` takes longer than opening the window. Never
 * throws.
 */
export function readFirstLook(folder: string): FirstLook {
  try {
    return firstLook(parseJson(readFileSync(join(folder, 'settings.json'), 'utf8')));
  } catch {
    // Loading all settings reports it.
    return firstLook({});
  }
}

/** Pure. */
export function firstLook(storedLook: unknown): FirstLook {
  const { appearance, language, window } = recordOf(storedLook);
  return {
    appearance: appearance === 'light' || appearance === 'dark' ? appearance : 'system',
    language: typeof language === 'string' && catalogues.has(language) ? language : 'system',
    window: readBounds(recordOf(window)),
  };
}

/** None if one is invalid. */
function readBounds(storedLook: Readonly<Record<string, unknown>>): FirstLook['window'] {
  const read: { -readonly [Name in keyof FirstLook['window']]: FirstLook['window'][Name] } = {};
  for (const name of ['x', 'y', 'width', 'height'] as const) {
    const value = storedLook[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) return {};
    read[name] = value;
  }
  const { maximized } = storedLook;
  if (maximized === undefined) return read;
  return typeof maximized === 'boolean' ? { ...read, maximized } : {};
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
