import { sortedBy } from '../../files/places.ts';
import { volumeSeriesIn } from '../completeness/volumes.ts';
import { fitsBesides, namesInFull, strictSidecars, weakSidecars } from './sidecars.ts';

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
    const hostNames = isVolume ? (hosts.get(name) ?? noNames) : hostsOf(name, listing, byStem);
    if (hostNames.length > 0) hosts.set(name, hostNames);
    else if (!isVolume && strictSidecars.has(extensionOf(name))) lone.push(name);
    else companions.set(name, noNames);
  }
  for (const [name, hostNames] of hosts) {
    // A sidecar of a sidecar (`a.tif.ovr.aux.xml`) belongs to the same primary.
    const final = new Set(
      hostNames.flatMap((host) => (companions.has(host) ? [host] : (hosts.get(host) ?? []))),
    );
    const primaries = [...final].filter((host) => companions.has(host));
    if (primaries.length === 0) lone.push(name);
    for (const host of primaries) {
      const hostCompanions = companions.get(host);
      if (hostCompanions === noNames) companions.set(host, [name]);
      else hostCompanions?.push(name);
    }
  }
  const sets: DataSet[] = [];
  for (const [primary, setCompanions] of companions) {
    sets.push({ primary, companions: setCompanions.sort() });
  }
  return { sets: sortedBy(sets, ({ primary }) => primary), lone: lone.sort() };
}

/** A single string avoids allocating an array for each of 100,000 names. */
type Named = Map<string, string | string[]>;

/** Shared empty list; never modified. */
const noNames: string[] = [];

function hostsOf(name: string, listing: Readonly<Named>, byStem: Readonly<Named>): readonly string[] {
  const low = name.toLowerCase();
  const mayNameInFull = namesInFull.has(low.slice(low.lastIndexOf('.') + 1));
  for (let dot = mayNameInFull ? low.indexOf('.', 1) : -1; dot > 0; dot = low.indexOf('.', dot + 1)) {
    const listedNames = listing.get(low.slice(0, dot));
    if (
      listedNames !== undefined &&
      low
        .slice(dot + 1)
        .split('.')
        .every((part) => namesInFull.has(part))
    )
      return typeof listedNames === 'string' ? [listedNames] : listedNames;
  }
  const extension = extensionOf(name);
  const stem = low.slice(0, -extension.length - 1);
  const ofStem = byStem.get(stem) ?? noNames;
  // Only `name` itself has this stem.
  if (typeof ofStem === 'string') return noNames;
  const sameStem = ofStem.filter((otherName) => otherName !== name);
  const fitting = sameStem.filter((otherName) => fitsBesides(extension, extensionOf(otherName)));
  if (fitting.length > 0 || !weakSidecars.has(extension)) return fitting;
  return sameStem.filter((otherName) => {
    const kind = extensionOf(otherName);
    return !strictSidecars.has(kind) && !weakSidecars.has(kind);
  });
}

/** Returns the part after the last dot, or a double extension (`aux.xml`), in lower case. */
export function extensionOf(name: string): string {
  // Runs several times for 100,000 names; a regular expression allocates four objects each.
  const dot = name.lastIndexOf('.');
  if (dot < 1 || name[dot - 1] === '/' || name.includes('/', dot)) return '';
  const lastExtension = name.slice(dot + 1).toLowerCase();
  if (!seconds.has(lastExtension)) return lastExtension;
  const previousDot = name.lastIndexOf('.', dot - 1);
  const doubleExtension =
    previousDot < 1 || name[previousDot - 1] === '/'
      ? lastExtension
      : name.slice(previousDot + 1).toLowerCase();
  return doubles.has(doubleExtension) ? doubleExtension : lastExtension;
}

const doubles = new Set(['aux.xml', 'shp.xml', 'vat.dbf', 'vat.cpg']);
/** Last parts of `doubles`. */
const seconds = new Set(['xml', 'dbf', 'cpg']);

export function stemOf(name: string): string {
  const extension = extensionOf(name);
  return extension === '' ? name : name.slice(0, -extension.length - 1);
}

function push(map: Named, key: string, value: string): void {
  const existingNames = map.get(key);
  if (existingNames === undefined) map.set(key, value);
  else if (typeof existingNames === 'string') map.set(key, [existingNames, value]);
  else existingNames.push(value);
}
