import { basename } from 'node:path';
import type { Suggestion } from '../../../shared/source.ts';
import type { Key } from '../../../strings/say.ts';
import { suggestKind } from '../../inspect/kind-of-data.ts';
import { extensionOf } from '../../inspect/together/data-set.ts';
import { verdictOn } from './kinds-of-data.ts';

const maxNames = 2_000;

/** For these, only the content shows the kind; extensions show the format. */
const formats: Readonly<Record<string, Key>> = {
  CITYGML: 'kinds.gml',
  RASTER_IMAGERY: 'kinds.raster',
};

/** Suggests a kind by the names alone. Pure. */
export function kindByNames(keys: readonly string[]): Suggestion | null {
  const suggestion = suggestKind({ files: keys.slice(0, maxNames).map((key) => ({ key })) });
  const format = suggestion && formats[suggestion.sourceType];
  return format ? { ...suggestion, kind: { key: format } } : suggestion;
}

/** Images next to data are previews rather than a delivery. */
const pictures: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png', 'webp', 'heic', 'gif', 'bmp']);

/**
 * Whether the files are a delivery of another kind rather than extras: at least half are data, not images
 * alone, and their names show the kind. Pure.
 */
export function isOtherDelivery(keys: readonly string[], sourceType: string): boolean {
  const sampleKeys = keys.slice(0, maxNames);
  const otherKeys = sampleKeys.filter((key) => verdictOn(basename(key), sourceType) === 'other');
  if (otherKeys.length * 2 < sampleKeys.length) return false;
  const suggestion = kindByNames(otherKeys);
  if (suggestion === null || suggestion.sourceType === sourceType) return false;
  const isPictures = otherKeys.every((key) => pictures.has(extensionOf(key)));
  return !(isPictures && suggestion.sourceType === 'RASTER_IMAGERY');
}
