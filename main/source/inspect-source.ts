import { basename, dirname } from 'node:path';
import type { FindingGroup } from '../../shared/findings.ts';
import type { Footprint } from '../../shared/source.ts';
import { createFindings } from './findings/create-findings.ts';
import type { Look } from './heads/look-inside.ts';
import { type Recognized, recognize } from './kind-of-data.ts';
import type { Scan, SourceFile } from './model.ts';
import { toKey } from './paths.ts';
import { loadSystems } from './place/systems.ts';
import { foldersBeside } from './together/beside.ts';
import { dataSetsOf } from './together/data-set.ts';

interface InspectOutside {
  readonly scan: (paths: readonly string[]) => Promise<Scan>;
  readonly lookInside: (sources: readonly (readonly SourceFile[])[]) => Promise<ReadonlyMap<string, Look>>;
}

/** Dropped entries that would become one asset: a folder, or a file with what belongs to it. */
interface SeparateSource {
  readonly paths: readonly string[];
  readonly files: readonly SourceFile[];
}

export interface RecognizedSource extends SeparateSource, Recognized {}

/** What was dropped. */
export interface InspectedSource extends RecognizedSource {
  readonly scan: Scan;
  readonly findings: readonly FindingGroup[];
  /** Of the files that were looked at, those whose place is known. */
  readonly footprints: readonly Footprint[];
  /** What it becomes as one asset each; none where it can only be one. */
  readonly separate: readonly RecognizedSource[];
}

/** More than these are one asset, or a mistake. */
const maxSeparate = 50;

/**
 * What dropped entries are, by their names, the names in archives and the heads of a few files.
 *
 * @throws TileliftError as `scanSource`
 */
export async function inspectSource(
  paths: readonly string[],
  outside: InspectOutside,
): Promise<InspectedSource> {
  const scan = await outside.scan(paths);
  const whole = { paths, files: scan.files };
  const found = paths.length > 1 ? await separateSources(paths, scan) : [];
  const several = found.length > 1 && found.length <= maxSeparate ? found : [];
  const looks = await outside.lookInside((several.length > 0 ? several : [whole]).map(({ files }) => files));
  const systems = looks.size > 0 ? await loadSystems() : null;
  const separate = several.map(async (one) => ({ ...one, ...(await recognize(one.files, looks)) }));
  const recognized = await recognize(whole.files, looks, systems);
  // What projects is needed for this alone.
  const { footprintsOf } = await import('./place/footprints.ts');
  const { toLonLat } = await import('./place/lon-lat.ts');
  const footprints = systems ? footprintsOf([...looks.values()], systems) : [];
  const findings = createFindings(scan.files, systems && { ...systems, toLonLat });
  for (const look of looks.values()) findings.add(look);
  return {
    ...whole,
    ...recognized,
    scan,
    findings: findings.finish(),
    footprints,
    separate: await Promise.all(separate),
  };
}

/** Kinds of which one file or folder is a whole data set, not a tile of one. */
const wholeByThemselves = new Set(['3D_MODEL', 'BIM_CAD', 'KML', '3DTILES', 'TERRAIN_DATABASE']);

/**
 * Different kinds are different assets; of one kind, folders, archives and what is whole by itself. Files of
 * one kind are rather tiles of one data set.
 */
export function areRatherSeparate(sources: readonly RecognizedSource[]): boolean {
  const kinds = new Set(sources.map(({ suggestion }) => suggestion?.sourceType));
  if (sources.length < 2 || kinds.has(undefined)) return false;
  const [only = ''] = kinds;
  if (kinds.size > 1 || wholeByThemselves.has(only)) return true;
  return sources.every(
    ({ paths, files, archivedNames }) =>
      archivedNames.length > 0 || (paths.length === 1 && files.every(({ path }) => path !== paths[0])),
  );
}

/**
 * What several dropped entries become as one asset each, in the order in which they were dropped. A file's
 * sidecars and a city model's folder of pictures go with it; entries in which there is nothing to send are
 * left out.
 */
async function separateSources(
  paths: readonly string[],
  scan: Pick<Scan, 'files'>,
): Promise<readonly SeparateSource[]> {
  const filesOf = new Map(paths.map((path) => [toKey(basename(path)), [] as SourceFile[]]));
  for (const file of scan.files) filesOf.get(file.key.split('/', 1)[0] ?? '')?.push(file);
  const own = (path: string) => filesOf.get(toKey(basename(path))) ?? [];
  const isFile = (path: string) => own(path).some(({ key }) => key === toKey(basename(path)));
  const folderEntries = new Map<string, string[]>();
  for (const path of paths) if (own(path).length > 0) push(folderEntries, dirname(path), path);
  const sources: SeparateSource[] = [];
  for (const entries of folderEntries.values()) {
    const pathOf = new Map(entries.map((path) => [basename(path), path]));
    const { sets, lone } = await dataSetsOf(entries.filter(isFile).map((path) => basename(path)));
    const folders = entries.filter((path) => !isFile(path)).map((path) => basename(path));
    const pictures = new Set<string>();
    const groups = sets.map(({ primary, companions }) => {
      const appearances = foldersBeside(primary, folders);
      for (const folder of appearances) pictures.add(folder);
      return [primary, ...companions, ...appearances];
    });
    const others = [...folders.filter((folder) => !pictures.has(folder)), ...lone].map((name) => [name]);
    for (const group of [...groups, ...others]) {
      const groupPaths = group.flatMap((name) => pathOf.get(name) ?? []);
      sources.push({ paths: groupPaths, files: groupPaths.flatMap(own) });
    }
  }
  const dropped = new Map(paths.map((path, index) => [path, index]));
  const order = (source: SeparateSource) => dropped.get(source.paths[0] ?? '') ?? 0;
  return sources.sort((a, b) => order(a) - order(b));
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
