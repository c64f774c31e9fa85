import type { AssetOptions } from '../../../shared/assets.ts';
import { PickedFiles } from '../../files/file-table.ts';
import type { SourceFiles } from '../../files/model.ts';
import { placesWhere } from '../../files/places.ts';
import { type ScanOptions, scanSource } from '../../files/walk/scan.ts';
import type { ChosenChanges } from '../changes/chosen-changes.ts';
import type { LocatedFile } from '../crs/footprints.ts';
import { type NamedSystem, systemOfWkt } from '../formats/systems/coordinate-system.ts';

/** The request of an upload. */
export interface SentRequest {
  readonly paths: readonly string[];
  readonly body: { readonly options: AssetOptions };
  readonly changes?: ChosenChanges;
  /** How a watched folder's source is scanned; `home`: that folder. */
  readonly exactly?: Required<Pick<ScanOptions, 'keysFrom' | 'gitignore'>> & { readonly home?: string };
}

/** Scans the files that an upload sent. Throws like `scanSource`. */
export async function scanSentFiles(
  { paths, changes, exactly }: SentRequest,
  options: Pick<ScanOptions, 'signal' | 'worker'>,
): Promise<SourceFiles> {
  const { only, leftOut = [], takenAlong = [] } = changes ?? {};
  const { keysFrom, gitignore } = exactly ?? {};
  const { files } = await scanSource(paths, {
    ...options,
    ...(keysFrom !== undefined && { keysFrom, gitignore: gitignore ?? [] }),
  });
  const [includedPaths, excludedPaths] = [only && new Set(only), new Set(leftOut)];
  const places = placesWhere(
    files,
    ({ path }) => (includedPaths?.has(path) ?? true) && !excludedPaths.has(path),
  );
  const sentFiles: SourceFiles = new PickedFiles(files, places);
  if (takenAlong.length === 0) return sentFiles;
  const companions = [];
  for (const { folder, paths: companionPaths } of takenAlong)
    companions.push(...(await scanSource(companionPaths, { ...options, keysFrom: folder })).files);
  return [...sentFiles, ...companions];
}

/** Returns a function for the system that an upload stated for a file, or null. */
export function statedSystems(
  files: SourceFiles,
  { changes, body }: SentRequest,
): (file: LocatedFile) => NamedSystem | null {
  const { assigned = [], worded = [] } = changes ?? {};
  const named = (system: string): NamedSystem => ({ system, vertical: null });
  const systemByPath = new Map([
    ...worded.flatMap(({ wkt, files: paths }) => paths.map((path) => [path, systemOfWkt(wkt)] as const)),
    ...assigned.flatMap(({ epsg, files: paths }) =>
      paths.map((path) => [path, named(`EPSG:${epsg}`)] as const),
    ),
  ]);
  const systemByKey = new Map<string, NamedSystem>();
  for (const { path, key } of systemByPath.size > 0 ? files : []) {
    const system = systemByPath.get(path);
    if (system) systemByKey.set(key, system);
  }
  const { inputCrs } = body.options;
  const ofOthers = typeof inputCrs === 'string' ? named(inputCrs) : null;
  const hasOwn = ({ head, sidecarSystemName }: LocatedFile) =>
    sidecarSystemName !== null || (head !== null && 'system' in head && head.system !== null);
  return (file) => systemByKey.get(file.key) ?? (hasOwn(file) ? null : ofOthers);
}
