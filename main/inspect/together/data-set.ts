import { sortedBy } from '../../files/places.ts';
import { fitsBesides, namesInFull, strictSidecars, weakSidecars } from './sidecars.ts';
import { volumeSeriesIn } from './volumes.ts';

/** Files of one folder that form one asset. */
export interface DataSet {
  /** The file that names the set. */
  readonly primary: string;
  /** Sorted; a file that fits several primaries belongs to each. */
  readonly companions: readonly string[];
}

export interface DataSets {
  readonly sets: readonly DataSet[];
  /** Sidecars without a primary file, which form no asset. */
  readonly lone: readonly string[];
}

/** A cheap prefilter for 100,000 names. */
const mayBeVolume = /(?:\d|zip|rar)$/i;

/**
 * Groups the files of one folder, ignoring case. A sidecar belongs to the file that it names in full
 * (`a.tif.aux.xml`), else to all files of its stem and a suitable kind (`a.prj` to `a.tif` and `a.las`,
 * `a.tfw` only to `a.tif`). Others form their own sets. The volumes of an archive are one set.
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
    // A sidecar of a sidecar (`a.tif.ovr.aux.xml`) belongs to the same primary.
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

/** A single string avoids allocating an array for each of 100,000 names. */
type Named = Map<string, string | string[]>;

/** Shared empty list; never modified. */
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
  // Only `name` itself has this stem.
  if (typeof ofStem === 'string') return none;
  const sameStem = ofStem.filter((other) => other !== name);
  const fitting = sameStem.filter((other) => fitsBesides(extension, extensionOf(other)));
  if (fitting.length > 0 || !weakSidecars.has(extension)) return fitting;
  return sameStem.filter((other) => {
    const kind = extensionOf(other);
    return !strictSidecars.has(kind) && !weakSidecars.has(kind);
  });
}

/** Returns the part after the last dot, or a double extension (`aux.xml`), in lower case. */
export function extensionOf(name: string): string {
  // Runs several times for 100,000 names; a regular expression allocates four objects each.
  const dot = name.lastIndexOf('.');
  if (dot < 1 || name[dot - 1] === '/' || name.includes('/', dot)) return '';
  const last = name.slice(dot + 1).toLowerCase();
  if (!seconds.has(last)) return last;
  const before = name.lastIndexOf('.', dot - 1);
  const both = before < 1 || name[before - 1] === '/' ? last : name.slice(before + 1).toLowerCase();
  return doubles.has(both) ? both : last;
}

const doubles = new Set(['aux.xml', 'shp.xml', 'vat.dbf', 'vat.cpg']);
/** Last parts of `doubles`. */
const seconds = new Set(['xml', 'dbf', 'cpg']);

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
