import type { AsSentView } from '../../../preload/contract.ts';
import type { SourceFiles } from '../../files/model.ts';
import { inSlices } from '../../files/pages.ts';
import { tellerOf } from '../../inspect/changes/virtual-files.ts';
import type { NewJob } from '../../jobs/model.ts';

/** Keys of one decision that a page can give back. */
const maxKeys = 10_000;

/**
 * A job as it was asked for, so that a person can put it right. What was decided about files that are gone is
 * left out, and so is a system that the options of the whole asset tell: it is among these.
 *
 * @param files those that are in its source now
 */
export async function asSentView(
  { body, changes }: Pick<NewJob, 'body' | 'changes'>,
  files: SourceFiles,
): Promise<AsSentView> {
  const { sourceType, clampToTerrain, baseTerrainId, ...further } = body.options;
  /** By path, of those that something was decided about: null where they are gone. */
  const keys = new Map<string, string | null>();
  const { leftOut = [], assigned: told = [], worded: inWords = [] } = changes ?? {};
  for (const paths of [leftOut, ...[...told, ...inWords].map((one) => one.files)])
    for await (const some of inSlices(paths)) for (const path of some) keys.set(path, null);
  for await (const some of inSlices(files))
    for (const { path, key } of some) if (keys.has(path)) keys.set(path, key);
  const keysOf = (paths: readonly string[]) =>
    paths.flatMap((path) => keys.get(path) ?? []).slice(0, maxKeys);
  const assigned = told.map(({ epsg, files: of }) => ({
    epsg,
    keys: keysOf(of).filter((key) => tellerOf(key)?.kind !== 'option'),
  }));
  const worded = inWords
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
    leftOut: keysOf(leftOut),
    assigned: assigned.filter(({ keys: some }) => some.length > 0),
    ...(worded.length > 0 && { worded }),
  };
}
