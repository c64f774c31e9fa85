import { basename, dirname } from 'node:path';
import type { FindingGroup, FindingId } from '../../../shared/findings.ts';
import type { SourceFiles } from '../../files/model.ts';
import { extensionOf } from '../headers/choose.ts';
import { sidecarsWithSystem } from '../headers/sidecar-names.ts';
import type { Along } from '../together/companions.ts';

/** A file that belongs to a dropped one but wasn't dropped itself. */
export interface OfferedFile {
  readonly path: string;
  /** Folder of the dropped file, the base of its key; absolute. */
  readonly folder: string;
  readonly dataFile: string;
  readonly key: string;
}

/** Files that can be added, by the findings that they resolve. */
export type Offers = ReadonlyMap<FindingId, readonly OfferedFile[]>;

/** Like `filesAlong`. */
type FindAlong = (folder: string, names: readonly string[]) => Promise<ReadonlyMap<string, Along>>;

/** Limit of files offered per finding, since all of them cross to the page and back. */
export const maxOffered = 2_000;
/** Limit of dropped files whose neighbours are searched. */
const maxAsked = 1_000;

/** Selects the neighbours that resolve a finding: referenced files, or files with a system or position. */
const answers: { readonly [Id in FindingId]?: (companions: Along, key: string) => readonly string[] } = {
  'missing-files': ({ neighbors, references }, key) => [
    ...references,
    ...neighbors.filter((path) => isNeeded(path, key)),
  ],
  'no-system-raster': ({ neighbors }, key) => neighbors.filter((path) => kindBeside(path, key) === 'system'),
  'no-place': ({ neighbors }, key) => neighbors.filter((path) => kindBeside(path, key) !== null),
};

/** Files required to read a shapefile, a plain raster or the pixels of a large ERDAS image. */
const needed: Readonly<Record<string, readonly string[]>> = {
  shp: ['shx', 'dbf', 'prj', 'cpg'],
  flt: ['hdr'],
  img: ['ige'],
};

const isNeeded = (path: string, key: string): boolean =>
  needed[extensionOf(key)]?.includes(extensionOf(path)) === true;

function kindBeside(path: string, key: string): 'system' | 'place' | null {
  const name = basename(path).toLowerCase();
  const kind = sidecarsWithSystem(basename(key).toLowerCase()).find((sidecar) => sidecar.name === name)?.kind;
  return kind === undefined ? null : kind === 'world' ? 'place' : 'system';
}

/**
 * Finds neighbours of single dropped files that resolve findings. Dropped folders are complete already.
 *
 * @param dropped absolute paths
 * @param files of the source
 */
export async function offersFor(
  dropped: readonly string[],
  files: SourceFiles,
  groups: readonly FindingGroup[],
  findAlong: FindAlong,
): Promise<Offers> {
  const concerned = groups.filter(({ id }) => answers[id] !== undefined);
  if (concerned.length === 0) return new Map();
  const entries = new Set(dropped);
  // Targets of dropped links have other paths; their neighbours aren't offered.
  const single = new Map<string, string>();
  for (const { key, path } of files) if (entries.has(path)) single.set(key, path);
  if (single.size === 0) return new Map();
  const requestedPaths = concerned.flatMap(({ keys }) => keys.flatMap((key) => single.get(key) ?? []));
  const companionsByName = new Map<string, Along>();
  for (const [folder, paths] of Map.groupBy(new Set(requestedPaths.slice(0, maxAsked)), (path) =>
    dirname(path),
  ))
    for (const [name, companions] of await findAlong(
      folder,
      paths.map((path) => basename(path)),
    ))
      companionsByName.set(`${folder}\0${name}`, companions);
  const outside = new Set(
    [...companionsByName.values()].flatMap(({ neighbors, references }) => [...neighbors, ...references]),
  );
  for (const { path } of files) outside.delete(path);
  const offers = new Map<FindingId, readonly OfferedFile[]>();
  for (const { id, keys, count } of concerned) {
    const offersByPath = new Map<string, OfferedFile>();
    let answered = 0;
    for (const key of keys) {
      const dataFile = single.get(key) ?? '';
      const folder = dirname(dataFile);
      const paths =
        answers[id]?.(companionsByName.get(`${folder}\0${basename(dataFile)}`) ?? noCompanions, key) ?? [];
      if (paths.length > 0) answered += 1;
      for (const path of paths)
        if (outside.has(path)) offersByPath.set(path, { path, folder, dataFile, key });
    }
    // The alternative, assigning a system, can't be limited to unresolved files, so offer only for all.
    const isEnough = id !== 'no-system-raster' || answered === count;
    if (isEnough && offersByPath.size > 0) offers.set(id, [...offersByPath.values()].slice(0, maxOffered));
  }
  return offers;
}

const noCompanions: Along = { neighbors: [], references: [] };

/** Adds the offered files to the findings as a fix. */
export function withOffers(groups: readonly FindingGroup[], offers: Offers): readonly FindingGroup[] {
  return groups.map((group) => {
    const offered = offers.get(group.id);
    if (!offered) return group;
    const keys = new Set(group.keys);
    const paths = offered.flatMap(({ key, path }) => (keys.has(key) ? [path] : []));
    return paths.length > 0 ? { ...group, fix: { kind: 'take-along', paths } } : group;
  });
}
