import { basename, dirname, join } from 'node:path';
import { TileliftError } from '../../errors.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { toKey } from '../../files/paths.ts';
import { longestKey } from '../../files/walk/found-source.ts';
import { KeyHashes } from '../../files/walk/key-hashes.ts';
import { isFlat, type System } from '../crs/systems.ts';
import type { ChosenChanges } from './chosen-changes.ts';
import { contentOf, contentOfWkt, tellerOf } from './virtual-files.ts';

interface Told {
  readonly leftOut: number;
  /** EPSG code for the whole asset; null for none. */
  readonly inputCrs: number | null;
  /** Distinct assigned systems: EPSG codes, or WKT. */
  readonly systems: ReadonlySet<number | string>;
}

/** Applies the user's changes while files are scanned. */
export interface ChangesAtWork {
  /**
   * Returns the files to send, followed by virtual sidecars.
   *
   * @throws TileliftError `system-unknown`, `source-name-too-long`
   */
  take(files: readonly SourceFile[]): readonly SourceFile[];
  /**
   * Call after the last `take`.
   *
   * @throws TileliftError `all-left-out`; `system-not-assignable` with files whose format takes no external
   * system; `system-file-exists` with files that have such a sidecar; `systems-differ` if the whole asset
   * needed two
   */
  end(): Told;
}

const maxNamed = 5;

/**
 * Excludes files and adds sidecars with assigned systems. Keeps only decisions in memory.
 *
 * @param timestamp time of the virtual files, ms since the epoch
 * @param systemOf returns null for unknown codes
 */
export async function beginChanges(
  changes: ChosenChanges,
  timestamp: number,
  systemOf: (code: number) => System | null,
): Promise<ChangesAtWork> {
  const out = new Set(changes.leftOut);
  const { systems, contents, wanted: sidecarNames } = await decided(changes, systemOf);
  let [foundCount, keptCount] = [0, 0];
  /** Lower-case keys of existing sidecars, and contents of virtual ones. */
  const existing = new Set<string>();
  const contentByKey = new Map<string, string>();
  const assignedSystems = new Set<number | string>();
  const ofAll = new Set<number>();
  const refused = { unassignable: createNamed(), existing: createNamed() };

  /** Returns the sidecar to add, or null if none is needed. */
  const assignTo = (file: SourceFile, system: number | string): SourceFile | null => {
    const teller = tellerOf(file.key);
    if (typeof system === 'number' && teller) knownSystem(system, systemOf);
    if (teller?.kind === 'option' && typeof system === 'number') {
      ofAll.add(system);
      return null;
    }
    const content = teller && teller.kind !== 'option' ? contents.get(`${teller.kind} ${system}`) : null;
    if (!teller || teller.kind === 'option' || content == null) {
      refused.unassignable.add(file.key);
      return null;
    }
    const low = teller.key.toLowerCase();
    if (existing.has(low) || (contentByKey.get(low) ?? content) !== content) {
      refused.existing.add(teller.key);
      return null;
    }
    if (contentByKey.has(low)) return null;
    if (Buffer.byteLength(teller.key) > longestKey)
      throw new TileliftError('source-name-too-long', { subject: teller.key });
    contentByKey.set(low, content);
    return virtualFile(file, teller.key, content, timestamp);
  };

  return {
    take: (files) => {
      const remainingFiles = out.size === 0 ? files : files.filter(({ path }) => !out.has(path));
      foundCount += files.length;
      keptCount += remainingFiles.length;
      if (systems.size === 0) return remainingFiles;
      for (const { key } of remainingFiles) {
        if (!sidecarNames.has(lowNameOf(key))) continue;
        const low = key.toLowerCase();
        existing.add(low);
        if (contentByKey.has(low)) refused.existing.add(key);
      }
      const added: SourceFile[] = [];
      for (const file of remainingFiles) {
        const system = systems.get(file.path);
        if (system === undefined) continue;
        assignedSystems.add(system);
        const sidecar = assignTo(file, system);
        if (sidecar) added.push(sidecar);
      }
      return added.length === 0 ? remainingFiles : [...remainingFiles, ...added];
    },
    end: () => {
      if (keptCount === 0) throw new TileliftError('all-left-out');
      refused.unassignable.refuse('system-not-assignable');
      refused.existing.refuse('system-file-exists');
      return { leftOut: foundCount - keptCount, inputCrs: onlyOne(ofAll), systems: assignedSystems };
    },
  };
}

/**
 * Applies changes to all files at once.
 *
 * @param added further files
 * @throws TileliftError as `ChangesAtWork`
 */
export async function checkChanges(
  files: SourceFiles,
  changes: ChosenChanges,
  systemOf: (code: number) => System | null,
  added: readonly SourceFile[] = [],
): Promise<Told> {
  const work = await beginChanges(changes, 0, systemOf);
  for (const sourceFiles of [Array.from(files), added]) work.take(sourceFiles);
  return work.end();
}

async function decided({ assigned, worded = [] }: ChosenChanges, systemOf: (code: number) => System | null) {
  const systems = new Map<string, number | string>();
  const contents = new Map<string, string | null>();
  const sidecarNames = new KeyHashes();
  const decide = async (system: number | string, paths: readonly string[]) => {
    for (const path of paths) {
      systems.set(path, system);
      const teller = tellerOf(path);
      if (!teller || teller.kind === 'option') continue;
      sidecarNames.add(lowNameOf(teller.key));
      const name = `${teller.kind} ${system}`;
      if (!contents.has(name)) contents.set(name, await contentFor(teller.kind, system, systemOf));
    }
  };
  for (const { wkt, files } of worded) await decide(wkt, files);
  for (const { epsg, files } of assigned) await decide(epsg, files);
  return { systems, contents, wanted: sidecarNames };
}

/** Null if the system can't be assigned. */
async function contentFor(
  kind: 'pam' | 'prj',
  system: number | string,
  systemOf: (code: number) => System | null,
): Promise<string | null> {
  if (typeof system === 'string') return contentOfWkt(kind, system);
  const currentSystem = systemOf(system);
  return isFlat(currentSystem) ? contentOf(kind, currentSystem) : null;
}

/** Throws `systems-differ` for two. */
function onlyOne(systems: ReadonlySet<number>): number | null {
  const [onlySystem = null, ...otherSystems] = systems;
  if (otherSystems.length > 0) {
    const list = [...systems].slice(0, maxNamed).map((code) => `EPSG:${code}`);
    throw new TileliftError('systems-differ', { subject: { list } });
  }
  return onlySystem;
}

/** Throws `system-unknown` unless the system is current and projected or geographic 2D. */
function knownSystem(epsg: number, systemOf: (code: number) => System | null): System {
  const system = systemOf(epsg);
  if (isFlat(system)) return system;
  throw new TileliftError('system-unknown', { subject: `EPSG:${epsg}` });
}

function virtualFile({ path }: SourceFile, key: string, content: string, timestamp: number): SourceFile {
  // For messages; the path is never read.
  const place = join(dirname(path), basename(key));
  return { path: place, key, size: Buffer.byteLength(content), mtimeMs: timestamp, content };
}

function lowNameOf(place: string): string {
  const key = toKey(place).toLowerCase();
  return key.slice(key.lastIndexOf('/') + 1);
}

function createNamed() {
  const names: string[] = [];
  let unlistedCount = 0;
  return {
    add: (name: string) => {
      if (names.length < maxNamed) names.push(name);
      else unlistedCount += 1;
    },
    /** Throws if there are any. */
    refuse: (code: 'system-not-assignable' | 'system-file-exists') => {
      if (names.length > 0)
        throw new TileliftError(code, {
          subject: { names, ...(unlistedCount > 0 ? { more: unlistedCount } : {}) },
        });
    },
  };
}
