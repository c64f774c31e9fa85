import { basename, dirname } from 'node:path';
import type { FindingGroup, FindingId } from '../../../shared/findings.ts';
import type { SourceFiles } from '../../files/model.ts';
import { extensionOf } from '../headers/choose.ts';
import { sidecarsWithSystem } from '../headers/sidecar-names.ts';
import type { Along } from '../together/along.ts';

/** A file on disk that goes with one that was dropped, and was not dropped itself. */
export interface OfferedFile {
  /** Absolute. */
  readonly path: string;
  /** The folder of the dropped file, to which its key is relative; absolute. */
  readonly folder: string;
  /** The dropped file, and its key. */
  readonly of: string;
  readonly key: string;
}

/** What may be taken along, by the findings that it answers. */
export type Offers = ReadonlyMap<FindingId, readonly OfferedFile[]>;

/** As `filesAlong`. */
type FindAlong = (folder: string, names: readonly string[]) => Promise<ReadonlyMap<string, Along>>;

/** Files offered for one finding: what crosses to the page and back. */
export const maxOffered = 2_000;
/** Dropped files beside which is looked. */
const maxAsked = 1_000;

/** Which of the files along answer a finding in a file: those that it names, or that tell where it lies. */
const answers: { readonly [Id in FindingId]?: (along: Along, key: string) => readonly string[] } = {
  'missing-files': ({ beside, named }, key) => [...named, ...beside.filter((path) => isNeeded(path, key))],
  'no-system-raster': ({ beside }, key) => beside.filter((path) => kindBeside(path, key) === 'system'),
  'no-place': ({ beside }, key) => beside.filter((path) => kindBeside(path, key) !== null),
};

/** Without which nobody can read a shapefile, a plain raster or the pixels of a large ERDAS image. */
const needed: Readonly<Record<string, readonly string[]>> = {
  shp: ['shx', 'dbf', 'prj', 'cpg'],
  flt: ['hdr'],
  img: ['ige'],
};

const isNeeded = (path: string, key: string): boolean =>
  needed[extensionOf(key)]?.includes(extensionOf(path)) === true;

function kindBeside(path: string, key: string): 'system' | 'place' | null {
  const name = basename(path).toLowerCase();
  const kind = sidecarsWithSystem(basename(key).toLowerCase()).find((one) => one.name === name)?.kind;
  return kind === undefined ? null : kind === 'world' ? 'place' : 'system';
}

/**
 * What lies beside single dropped files and answers what was found in them. Of a dropped folder everything is
 * in the source already, and nothing outside of it was meant.
 *
 * @param dropped paths, absolute
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
  // What a dropped link leads to has another path: nothing beside that was meant.
  const single = new Map<string, string>();
  for (const { key, path } of files) if (entries.has(path)) single.set(key, path);
  if (single.size === 0) return new Map();
  const asked = concerned.flatMap(({ keys }) => keys.flatMap((key) => single.get(key) ?? []));
  const along = new Map<string, Along>();
  for (const [folder, paths] of Map.groupBy(new Set(asked.slice(0, maxAsked)), (path) => dirname(path)))
    for (const [name, one] of await findAlong(
      folder,
      paths.map((path) => basename(path)),
    ))
      along.set(`${folder}\0${name}`, one);
  const outside = new Set([...along.values()].flatMap(({ beside, named }) => [...beside, ...named]));
  for (const { path } of files) outside.delete(path);
  const offers = new Map<FindingId, readonly OfferedFile[]>();
  for (const { id, keys, count } of concerned) {
    const found = new Map<string, OfferedFile>();
    let answered = 0;
    for (const key of keys) {
      const of = single.get(key) ?? '';
      const folder = dirname(of);
      const paths = answers[id]?.(along.get(`${folder}\0${basename(of)}`) ?? none, key) ?? [];
      if (paths.length > 0) answered += 1;
      for (const path of paths) if (outside.has(path)) found.set(path, { path, folder, of, key });
    }
    // A system can be assigned too: that it would be for some of them alone could not be said.
    const isEnough = id !== 'no-system-raster' || answered === count;
    if (isEnough && found.size > 0) offers.set(id, [...found.values()].slice(0, maxOffered));
  }
  return offers;
}

const none: Along = { beside: [], named: [] };

/** Findings with the way out that lies beside the files that they name. */
export function withOffers(groups: readonly FindingGroup[], offers: Offers): readonly FindingGroup[] {
  return groups.map((group) => {
    const offered = offers.get(group.id);
    if (!offered) return group;
    const keys = new Set(group.keys);
    const paths = offered.flatMap(({ key, path }) => (keys.has(key) ? [path] : []));
    return paths.length > 0 ? { ...group, fix: { kind: 'take-along', paths } } : group;
  });
}
