import { basename, dirname, join } from 'node:path';
import { TileliftError } from '../../errors.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { toKey } from '../../files/paths.ts';
import { longestKey } from '../../files/walk/found-source.ts';
import { KeyHashes } from '../../files/walk/key-hashes.ts';
import { isFlat, type System } from '../crs/systems.ts';
import type { ChosenChanges } from './chosen-changes.ts';
import { contentOf, contentOfWkt, tellerOf } from './virtual-files.ts';

/** What a source is told by a person's changes. */
interface Told {
  /** Files that are not sent. */
  readonly leftOut: number;
  /** The system that the asset as a whole is told; null for none. EPSG code. */
  readonly inputCrs: number | null;
  /** What the files that are left were told, each once: EPSG codes, or well-known text. */
  readonly systems: ReadonlySet<number | string>;
}

/** A person's changes to a source, carried out as its files are found. */
export interface ChangesAtWork {
  /**
   * What is sent of some of its files: those that are left, behind them those that exist in the upload alone.
   * Nothing is written anywhere.
   *
   * @throws TileliftError `system-unknown`, `source-name-too-long`
   */
  take(files: readonly SourceFile[]): readonly SourceFile[];
  /**
   * When all have been taken.
   *
   * @throws TileliftError `all-left-out`; `system-not-assignable` naming files whose format takes none from
   *   outside; `system-file-exists` naming files beside which there is one already; `systems-differ` where
   *   the asset as a whole would need two
   */
  end(): Told;
}

const maxNamed = 5;

/**
 * Begins to take out what a person left out, and to add a file for each that was assigned a coordinate system
 * and can be told so by one beside it. Of the files nothing is kept but what was decided about them.
 *
 * @param now ms since the epoch, which the new files are said to be of
 * @param systemOf of the table; null for what it does not have
 */
export async function beginChanges(
  changes: ChosenChanges,
  now: number,
  systemOf: (code: number) => System | null,
): Promise<ChangesAtWork> {
  const out = new Set(changes.leftOut);
  const { systems, contents, wanted } = await decided(changes, systemOf);
  let [found, kept] = [0, 0];
  /** Keys of files beside others, in lower case: found, and made with what they hold. */
  const existing = new Set<string>();
  const made = new Map<string, string>();
  const told = new Set<number | string>();
  const ofAll = new Set<number>();
  const refused = { unassignable: createNamed(), existing: createNamed() };

  /** The file that tells it beside this one; null where none has to be added. */
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
    if (existing.has(low) || (made.get(low) ?? content) !== content) {
      refused.existing.add(teller.key);
      return null;
    }
    if (made.has(low)) return null;
    if (Buffer.byteLength(teller.key) > longestKey)
      throw new TileliftError('source-name-too-long', { subject: teller.key });
    made.set(low, content);
    return virtualFile(file, teller.key, content, now);
  };

  return {
    take: (files) => {
      const left = out.size === 0 ? files : files.filter(({ path }) => !out.has(path));
      found += files.length;
      kept += left.length;
      if (systems.size === 0) return left;
      for (const { key } of left) {
        if (!wanted.has(lowNameOf(key))) continue;
        const low = key.toLowerCase();
        existing.add(low);
        if (made.has(low)) refused.existing.add(key);
      }
      const added: SourceFile[] = [];
      for (const file of left) {
        const system = systems.get(file.path);
        if (system === undefined) continue;
        told.add(system);
        const beside = assignTo(file, system);
        if (beside) added.push(beside);
      }
      return added.length === 0 ? left : [...left, ...added];
    },
    end: () => {
      if (kept === 0) throw new TileliftError('all-left-out');
      refused.unassignable.refuse('system-not-assignable');
      refused.existing.refuse('system-file-exists');
      return { leftOut: found - kept, inputCrs: onlyOne(ofAll), systems: told };
    },
  };
}

/**
 * What all files of a source are told.
 *
 * @param added files besides
 * @throws TileliftError as `ChangesAtWork`
 */
export async function checkChanges(
  files: SourceFiles,
  changes: ChosenChanges,
  systemOf: (code: number) => System | null,
  added: readonly SourceFile[] = [],
): Promise<Told> {
  const work = await beginChanges(changes, 0, systemOf);
  for (const all of [Array.from(files), added]) work.take(all);
  return work.end();
}

/**
 * The systems that files were assigned, by path: EPSG codes, or WKT; what files beside them would hold, by
 * kind and system; and how these would be called, as it seems.
 */
async function decided({ assigned, worded = [] }: ChosenChanges, systemOf: (code: number) => System | null) {
  const systems = new Map<string, number | string>();
  const contents = new Map<string, string | null>();
  const wanted = new KeyHashes();
  const decide = async (system: number | string, paths: readonly string[]) => {
    for (const path of paths) {
      systems.set(path, system);
      const teller = tellerOf(path);
      if (!teller || teller.kind === 'option') continue;
      wanted.add(lowNameOf(teller.key));
      const name = `${teller.kind} ${system}`;
      if (!contents.has(name)) contents.set(name, await contentFor(teller.kind, system, systemOf));
    }
  };
  for (const { wkt, files } of worded) await decide(wkt, files);
  for (const { epsg, files } of assigned) await decide(epsg, files);
  return { systems, contents, wanted };
}

/** Null for what can't be told so. */
async function contentFor(
  kind: 'pam' | 'prj',
  system: number | string,
  systemOf: (code: number) => System | null,
): Promise<string | null> {
  if (typeof system === 'string') return contentOfWkt(kind, system);
  const known = systemOf(system);
  return isFlat(known) ? contentOf(kind, known) : null;
}

/** Throws `systems-differ` for two. */
function onlyOne(systems: ReadonlySet<number>): number | null {
  const [first = null, ...others] = systems;
  if (others.length > 0) {
    const list = [...systems].slice(0, maxNamed).map((code) => `EPSG:${code}`);
    throw new TileliftError('systems-differ', { subject: { list } });
  }
  return first;
}

/** Of current projected and geographic 2D ones. Throws `system-unknown`. */
function knownSystem(epsg: number, systemOf: (code: number) => System | null): System {
  const system = systemOf(epsg);
  if (isFlat(system)) return system;
  throw new TileliftError('system-unknown', { subject: `EPSG:${epsg}` });
}

function virtualFile({ path }: SourceFile, key: string, content: string, now: number): SourceFile {
  // Where it would lie, for messages; nothing is read from there.
  const place = join(dirname(path), basename(key));
  return { path: place, key, size: Buffer.byteLength(content), mtimeMs: now, content };
}

/** Of a file, by its key or its path: as names are compared. */
function lowNameOf(place: string): string {
  const key = toKey(place).toLowerCase();
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Names of which an error tells the first few, and how many more there are. */
function createNamed() {
  const names: string[] = [];
  let more = 0;
  return {
    add: (name: string) => {
      if (names.length < maxNamed) names.push(name);
      else more += 1;
    },
    /** Throws where there are any. */
    refuse: (code: 'system-not-assignable' | 'system-file-exists') => {
      if (names.length > 0)
        throw new TileliftError(code, { subject: { names, ...(more > 0 ? { more } : {}) } });
    },
  };
}
