import { sortedBy } from '../../files/places.ts';
import { fitsBesides, namesInFull, strictSidecars, weakSidecars } from './sidecars.ts';
import { volumeSeriesIn } from './volumes.ts';

/** Files of one folder that make one asset together, by their names as the listing has them. */
export interface DataSet {
  /** The file that the set is named after. */
  readonly primary: string;
  /** What goes with it, sorted; a file that fits several primaries goes with each. */
  readonly companions: readonly string[];
}

export interface DataSets {
  readonly sets: readonly DataSet[];
  /**
   * Sidecars that are there without anything that they belong to: they wait for it and are nothing by
   * themselves.
   */
  readonly lone: readonly string[];
}

/** All volumes end so: looking closer at each of 100,000 names takes too long for one go. */
const mayBeVolume = /(?:\d|zip|rar)$/i;

/**
 * Which files of one folder belong together. A sidecar goes with the file that it names in full
 * (`a.tif.aux.xml`), else with every file of its stem and of a kind that it fits (`a.prj` with `a.tif` and
 * with `a.las`, `a.tfw` with the first alone). Everything that is no sidecar of anything is a set of its own,
 * so `a.tif` and `a.jpg` are two. Case plays no part. The volumes of an archive are one.
 */
export function dataSetsOf(names: readonly string[]): DataSets {
  const listing: Named = new Map();
  const byStem: Named = new Map();
  const maybeVolumes: string[] = [];
  for (const name of names) {
    if (mayBeVolume.test(name)) maybeVolumes.push(name);
    push(listing, name.toLowerCase(), name);
    push(byStem, stemOf(name).toLowerCase(), name);
  }
  const hosts = new Map<string, readonly string[]>();
  const volumes = new Set<string>();
  for (const series of volumeSeriesIn(maybeVolumes)) {
    for (const name of series.volumes) {
      volumes.add(name);
      if (name !== series.primary) hosts.set(name, [series.primary]);
    }
  }
  const lone: string[] = [];
  const companions = new Map<string, string[]>();
  for (const name of names) {
    const isVolume = volumes.has(name);
    const found = isVolume ? (hosts.get(name) ?? none) : hostsOf(name, listing, byStem);
    if (found.length > 0) hosts.set(name, found);
    else if (!isVolume && strictSidecars.has(extensionOf(name))) lone.push(name);
    else companions.set(name, none);
  }
  for (const [name, named] of hosts) {
    // A sidecar of a sidecar (`a.tif.ovr.aux.xml`) goes where that goes.
    const final = new Set(named.flatMap((host) => (companions.has(host) ? [host] : (hosts.get(host) ?? []))));
    const known = [...final].filter((host) => companions.has(host));
    if (known.length === 0) lone.push(name);
    for (const host of known) {
      const own = companions.get(host);
      if (own === none) companions.set(host, [name]);
      else own?.push(name);
    }
  }
  const sets: DataSet[] = [];
  for (const [primary, own] of companions) {
    sets.push({ primary, companions: own.sort() });
  }
  return { sets: sortedBy(sets, ({ primary }) => primary), lone: lone.sort() };
}

/** One name, or the few that fit: a list for each of 100,000 names would have to be cleared up again. */
type Named = Map<string, string | string[]>;

/** Shared by all that have none: never added to. */
const none: string[] = [];

function hostsOf(name: string, listing: Readonly<Named>, byStem: Readonly<Named>): readonly string[] {
  const low = name.toLowerCase();
  const mayNameInFull = namesInFull.has(low.slice(low.lastIndexOf('.') + 1));
  for (let dot = mayNameInFull ? low.indexOf('.', 1) : -1; dot > 0; dot = low.indexOf('.', dot + 1)) {
    const named = listing.get(low.slice(0, dot));
    if (
      named !== undefined &&
      low
        .slice(dot + 1)
        .split('.')
        .every((part) => namesInFull.has(part))
    )
      return typeof named === 'string' ? [named] : named;
  }
  const extension = extensionOf(name);
  const stem = low.slice(0, -extension.length - 1);
  const ofStem = byStem.get(stem) ?? none;
  // It is the only one.
  if (typeof ofStem === 'string') return none;
  const sameStem = ofStem.filter((other) => other !== name);
  const fitting = sameStem.filter((other) => fitsBesides(extension, extensionOf(other)));
  if (fitting.length > 0 || !weakSidecars.has(extension)) return fitting;
  return sameStem.filter((other) => {
    const kind = extensionOf(other);
    return !strictSidecars.has(kind) && !weakSidecars.has(kind);
  });
}

/**
 * The part after the last dot, or the last two where that is one (`aux.xml`), in lower case; empty without.
 */
export function extensionOf(name: string): string {
  // Of 100,000 names several times: an expression leaves four objects of each to be cleared up.
  const dot = name.lastIndexOf('.');
  if (dot < 1 || name[dot - 1] === '/' || name.includes('/', dot)) return '';
  const last = name.slice(dot + 1).toLowerCase();
  if (!seconds.has(last)) return last;
  const before = name.lastIndexOf('.', dot - 1);
  const both = before < 1 || name[before - 1] === '/' ? last : name.slice(before + 1).toLowerCase();
  return doubles.has(both) ? both : last;
}

const doubles = new Set(['aux.xml', 'shp.xml', 'vat.dbf', 'vat.cpg']);
/** What comes after their second dot. */
const seconds = new Set(['xml', 'dbf', 'cpg']);

/** The name without its ending. */
export function stemOf(name: string): string {
  const extension = extensionOf(name);
  return extension === '' ? name : name.slice(0, -extension.length - 1);
}

function push(map: Named, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, value);
  else if (typeof known === 'string') map.set(key, [known, value]);
  else known.push(value);
}
