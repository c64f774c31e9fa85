import { basename } from 'node:path';
import type { Suggestion } from '../../../../shared/source.ts';
import type { Key } from '../../../../strings/say.ts';
import { suggestKind } from '../../../inspect/kind-of-data.ts';
import { extensionOf } from '../../../inspect/together/data-set.ts';
import { verdictOn } from './kinds-of-data.ts';

/** Names that are looked at: they say what the rest is. */
const maxNames = 2_000;

/** Of these only what is inside tells the kind; their endings tell the format. */
const formats: Readonly<Record<string, Key>> = {
  CITYGML: 'kinds.gml',
  RASTER_IMAGERY: 'kinds.raster',
};

/** What these files are, as far as their names say; null where they say nothing. Pure. */
export function kindByNames(keys: readonly string[]): Suggestion | null {
  const seen = suggestKind({ files: keys.slice(0, maxNames).map((key) => ({ key })) });
  const format = seen && formats[seen.sourceType];
  return format ? { ...seen, kind: { key: format } } : seen;
}

/** Pictures beside data are previews rather than a delivery. */
const pictures: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png', 'webp', 'heic', 'gif', 'bmp']);

/**
 * Whether files of which none is of this source type are a delivery of another kind, rather than what lies
 * beside data: at least half of them are data, not pictures alone, and their names say of what kind. Pure.
 */
export function isOtherDelivery(keys: readonly string[], sourceType: string): boolean {
  const looked = keys.slice(0, maxNames);
  const others = looked.filter((key) => verdictOn(basename(key), sourceType) === 'other');
  if (others.length * 2 < looked.length) return false;
  const seen = kindByNames(others);
  if (seen === null || seen.sourceType === sourceType) return false;
  const isPictures = others.every((key) => pictures.has(extensionOf(key)));
  return !(isPictures && seen.sourceType === 'RASTER_IMAGERY');
}
