import { createPathFits } from '../../files/left-out/path-patterns.ts';
import { toKey } from '../../files/paths.ts';
import type { WatchUnit } from '../model/rule.ts';
import type { SourcePlan } from './found-source.ts';
import { type GatherOptions, gatherFolder } from './gather.ts';
import { placeBelow } from './tree.ts';

type FoldersUnit = Extract<WatchUnit, { kind: 'folders' }>;

/**
 * Plans each folder at the unit's depth with all its content. `top`: a place inside such a folder means that
 * folder.
 */
export async function folderPlans(
  unit: FoldersUnit,
  top: string,
  options: GatherOptions,
): Promise<readonly SourcePlan[]> {
  const { tree } = options;
  const fits = createPathFits(unit.patterns);
  const matches = (place: string) => unit.patterns.length === 0 || fits(toKey(place), true);
  let level = [folderAround(unit, top)];
  for (let depth = depthOf(level[0] ?? ''); depth < unit.depth; depth++) {
    const nextLevel: string[] = [];
    for (const place of level) {
      const listing = await tree.folder(place);
      for (const name of listing?.folders ?? []) nextLevel.push(placeBelow(place, name));
    }
    level = nextLevel;
  }
  const plans: SourcePlan[] = [];
  for (const place of level) {
    if (matches(place) && (await tree.folder(place))) plans.push(await gatherFolder(place, options));
  }
  return plans;
}

/** Returns the folder at the unit's depth that contains this place, or the place itself. */
export function folderAround({ depth }: Pick<FoldersUnit, 'depth'>, place: string): string {
  return place.split('/').slice(0, depth).join('/');
}

const depthOf = (place: string): number => (place === '' ? 0 : place.split('/').length);
