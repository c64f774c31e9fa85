import type { AsSentView } from '../../../preload/contract.ts';
import type { NewJob } from '../../jobs/model.ts';
import { tellerOf } from '../../source/changes/virtual-files.ts';
import type { SourceFile } from '../../source/model.ts';

/** Keys of one decision that a page can give back. */
const maxKeys = 10_000;

/**
 * A job as it was asked for, so that a person can put it right. What was decided about files that are gone is
 * left out, and so is a system that the options of the whole asset tell: it is among these.
 *
 * @param files those that are in its source now
 */
export function asSentView(
  { body, changes }: Pick<NewJob, 'body' | 'changes'>,
  files: readonly SourceFile[],
): AsSentView {
  const { sourceType, clampToTerrain, baseTerrainId, ...further } = body.options;
  const keys = new Map(files.map(({ path, key }) => [path, key]));
  const keysOf = (paths: readonly string[]) =>
    paths.flatMap((path) => keys.get(path) ?? []).slice(0, maxKeys);
  const assigned = (changes?.assigned ?? []).map(({ epsg, files: of }) => ({
    epsg,
    keys: keysOf(of).filter((key) => tellerOf(key)?.kind !== 'option'),
  }));
  const worded = (changes?.worded ?? [])
    .map(({ wkt, files: of }) => ({ wkt, keys: keysOf(of) }))
    .filter(({ keys: some }) => some.length > 0);
  return {
    name: body.name,
    description: body.description ?? '',
    assetType: body.type,
    sourceType,
    clampToTerrain: clampToTerrain ?? false,
    baseTerrainId: baseTerrainId ?? null,
    options: JSON.stringify(further),
    leftOut: keysOf(changes?.leftOut ?? []),
    assigned: assigned.filter(({ keys: some }) => some.length > 0),
    ...(worded.length > 0 && { worded }),
  };
}
