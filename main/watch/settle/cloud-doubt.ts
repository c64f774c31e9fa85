import { basename } from 'node:path';
import type { Said } from '../../../strings/phrase.ts';
import { cloudOf, isOnlyInCloud, placeholderOf } from '../../source/left-out/cloud-files.ts';
import type { WatchRule } from '../rule.ts';
import type { SurveyedSource } from '../survey/found-source.ts';
import type { Doubt } from './completeness.ts';

/**
 * What of a source lies only in the cloud; null when nothing does, or when the rule has it fetched: reading a file does that. What a name only stands in for nobody can fetch by
 * reading, so that is waited for all the same.
 */
export function cloudDoubt(
  { cloudFiles }: Pick<WatchRule, 'cloudFiles'>,
  { files, allocated }: SurveyedSource,
): Doubt | null {
  let first: { readonly file: string; readonly service: string } | null = null;
  let count = 0;
  for (const [index, { path, size }] of files.entries()) {
    const name = basename(path);
    const placeholder = placeholderOf(name);
    const isAway = cloudFiles === 'leave' && isOnlyInCloud(path, size, allocated[index] ?? Number.NaN);
    if (!placeholder && !isAway) continue;
    first ??= placeholder
      ? { file: placeholder.name, service: placeholder.service }
      : { file: name, service: cloudOf(path) ?? '' };
    count += 1;
  }
  if (first === null) return null;
  const reason: Said =
    count > 1
      ? { key: 'sources.doubt.onlyInCloudMore', values: { ...first, more: count - 1 } }
      : { key: 'sources.doubt.onlyInCloud', values: first };
  return { kind: 'wait-for-change', reason };
}
