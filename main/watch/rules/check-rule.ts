import { access, constants, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { fitsAssetType } from '../../../shared/kinds.ts';
import { TileliftError } from '../../errors.ts';
import { isWithin, nearestExisting, sameDrive, truePath } from '../../files/drive.ts';
import { checkPatterns } from '../../files/left-out/check-patterns.ts';
import { checkNamePattern } from '../finish/asset-name.ts';
import { isMarkerName } from '../model/left-out.ts';
import { type Target, targetFields, type WatchRule } from '../model/rule.ts';
import { mayShare, overlapOf } from '../scan/earlier-rules.ts';
import { checkFolder } from '../scan/tree.ts';

/**
 * Refuses rules that can't work alongside the others, or whose folder is unavailable.
 *
 * @throws TileliftError `watch-folder-missing`, `watch-folder-unreadable`, `watch-folder-nested`,
 * `watch-patterns-overlap`, `watch-pattern-invalid`, `watch-name-invalid`, `watch-marker-for-batch`,
 * `watch-target-unusable`, `source-type-mismatch`
 */
export async function checkRule(rule: WatchRule, otherRules: readonly WatchRule[]): Promise<void> {
  checkWords(rule);
  await checkFolder(rule.folder);
  await checkMarker(rule);
  await checkNesting(rule, otherRules);
  for (const target of targetFields(rule)) await checkTarget(rule.folder, target);
}

/** Why a folder outside the administrator's roots may not be watched, or null. Resolves links. */
export async function refuseOutside(folder: string, roots: readonly string[]): Promise<TileliftError | null> {
  const place = await truePath(folder);
  for (const root of roots) if (isWithin(place, await truePath(root))) return null;
  return new TileliftError('watch-folder-outside', { subject: { names: roots } });
}

function checkWords({
  unit,
  readyWhen,
  ignore,
  namePattern,
  description,
  sourceType,
  assetType,
}: WatchRule): void {
  checkPatterns(ignore, 'ignore');
  if (unit.kind === 'files' || unit.kind === 'folders') checkPatterns(unit.patterns, 'unit.patterns');
  // A batch has no name or folder for a marker.
  if (readyWhen.kind === 'marker' && unit.kind === 'batch')
    throw new TileliftError('watch-marker-for-batch', { subject: readyWhen.name, field: 'readyWhen.name' });
  if (readyWhen.kind === 'marker' && !isMarkerName(readyWhen.name, unit))
    throw new TileliftError('watch-pattern-invalid', { subject: readyWhen.name, field: 'readyWhen.name' });
  checkNamePattern(namePattern, 'namePattern');
  checkNamePattern(description, 'description');
  if (!fitsAssetType(sourceType, assetType))
    throw new TileliftError('source-type-mismatch', { subject: assetType });
}

async function checkMarker({ folder, mountMarker }: WatchRule): Promise<void> {
  if (mountMarker === null) return;
  await lstat(join(folder, mountMarker)).catch((cause) => {
    throw new TileliftError('watch-marker-missing', { subject: join(folder, mountMarker), cause });
  });
}

/** Compares real paths, because links may hide a nested folder. */
async function checkNesting(rule: WatchRule, otherRules: readonly WatchRule[]): Promise<void> {
  const ownFolder = await truePath(rule.folder);
  for (const otherRule of otherRules) {
    if (otherRule.id === rule.id) continue;
    const otherFolder = await truePath(otherRule.folder);
    if (mayShare(rule, otherRule)) {
      const sharedPatterns = overlapOf(rule.unit, otherRule.unit);
      if (sharedPatterns)
        throw new TileliftError('watch-patterns-overlap', { subject: { names: sharedPatterns } });
    } else if (isWithin(ownFolder, otherFolder) || isWithin(otherFolder, ownFolder))
      throw new TileliftError('watch-folder-nested', {
        subject: { list: [rule.folder, otherRule.folder] },
        field: 'folder',
      });
    // The other rule would upload moved sources again.
    for (const target of targetFields(rule)) await refuseWithin(target, otherFolder);
    for (const { place } of targetFields(otherRule))
      await refuseWithin({ place, field: 'folder' }, ownFolder);
  }
}

async function refuseWithin({ place, field }: Target, folder: string): Promise<void> {
  if (isWithin(await truePath(place), folder))
    throw new TileliftError('watch-folder-nested', { subject: { list: [place, folder] }, field });
}

async function checkTarget(folder: string, { place, field }: Target): Promise<void> {
  const unusable = (cause?: unknown) =>
    new TileliftError('watch-target-unusable', { subject: place, field, cause });
  if (isWithin(folder, place) || !(await sameDrive(folder, place))) throw unusable();
  await access(await nearestExisting(place), constants.W_OK).catch((cause) => {
    throw unusable(cause);
  });
}
