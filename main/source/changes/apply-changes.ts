import { basename, dirname, join } from 'node:path';
import { TileliftError } from '../../errors.ts';
import type { SourceFile } from '../model.ts';
import { inSlices } from '../pages.ts';
import { isFlat, type System } from '../place/systems.ts';
import { longestKey } from '../walk/found-source.ts';
import type { ChosenChanges } from './chosen-changes.ts';
import { contentOf, contentOfWkt, type SystemTeller, tellerOf } from './virtual-files.ts';

/** What is sent of a source that a person has changed. */
export interface ChangedSource {
  /** Those that are left, and those that exist in the upload alone. */
  readonly files: readonly SourceFile[];
  /** Files that are not sent. */
  readonly leftOut: number;
  /** The system that the asset as a whole is told; null for none. EPSG code. */
  readonly inputCrs: number | null;
  /** What the files that are left were told, each once: EPSG codes, or well-known text. */
  readonly systems: ReadonlySet<number | string>;
}

const maxNamed = 5;

/**
 * Takes out what a person left out, and adds a file for each that was assigned a coordinate system and can be
 * told so by one beside it. Nothing is written anywhere.
 *
 * @param now ms since the epoch, which the new files are said to be of
 * @param systemOf of the table; null for what it does not have
 * @throws TileliftError `all-left-out`; `system-unknown`; `system-not-assignable` naming files whose format
 *   takes none from outside; `system-file-exists` naming files beside which there is one already;
 *   `systems-differ` where the asset as a whole would need two; `source-name-too-long`
 */
export async function applyChanges(
  files: readonly SourceFile[],
  changes: ChosenChanges,
  now: number,
  systemOf: (code: number) => System | null,
): Promise<ChangedSource> {
  const { kept, systems } = await decided(files, changes);
  const added = new Map<string, SourceFile>();
  const told = await assign(kept, systems, systemOf, (file, { key }, content) =>
    added.set(key.toLowerCase(), virtualFile(file, key, content, now)),
  );
  const all = added.size === 0 ? kept : [...kept, ...added.values()];
  return { files: all, leftOut: files.length - kept.length, ...told };
}

/**
 * What the asset as a whole is told of these changes, without making any file.
 *
 * @throws TileliftError as `applyChanges`
 */
export async function checkChanges(
  files: readonly SourceFile[],
  changes: ChosenChanges,
  systemOf: (code: number) => System | null,
): Promise<Pick<ChangedSource, 'inputCrs'>> {
  const { kept, systems } = await decided(files, changes);
  return assign(kept, systems, systemOf, () => {});
}

/** Which files are left, and the system of those that were assigned one, by path: EPSG codes, or WKT. */
async function decided(files: readonly SourceFile[], { leftOut, assigned, worded = [] }: ChosenChanges) {
  const out = new Set<string>();
  for await (const some of inSlices(leftOut)) for (const path of some) out.add(path);
  const kept: SourceFile[] = [];
  for await (const some of inSlices(files)) for (const one of some) if (!out.has(one.path)) kept.push(one);
  if (kept.length === 0) throw new TileliftError('all-left-out');
  const systems = new Map<string, number | string>();
  for (const { wkt, files: of } of worded)
    for await (const some of inSlices(of)) for (const path of some) systems.set(path, wkt);
  for (const { epsg, files: of } of assigned)
    for await (const some of inSlices(of)) for (const path of some) systems.set(path, epsg);
  return { kept, systems };
}

type Beside = Extract<SystemTeller, { readonly key: string }>;

/**
 * `add` takes each file that is to be told so by one beside it. Gives what all of them, and each, are told.
 */
async function assign(
  files: readonly SourceFile[],
  systems: ReadonlyMap<string, number | string>,
  systemOf: (code: number) => System | null,
  add: (file: SourceFile, beside: Beside, content: string) => void,
): Promise<Pick<ChangedSource, 'inputCrs' | 'systems'>> {
  const told = new Set<number | string>();
  if (systems.size === 0) return { inputCrs: null, systems: told };
  const taken = new Set<string>();
  for await (const some of inSlices(files)) for (const { key } of some) taken.add(key.toLowerCase());
  const contents = new Map<string, string | null>();
  const added = new Map<string, string>();
  const ofAll = new Set<number>();
  const refused = { unassignable: [] as string[], existing: [] as string[] };
  const assignTo = async (file: SourceFile, system: number | string): Promise<void> => {
    const teller = tellerOf(file.key);
    if (teller?.kind === 'option' && typeof system === 'number') {
      knownSystem(system, systemOf);
      ofAll.add(system);
    } else if (teller && teller.kind !== 'option') {
      const name = `${teller.kind} ${system}`;
      if (!contents.has(name)) {
        const { kind } = teller;
        const isWords = typeof system === 'string';
        const content = isWords ? contentOfWkt(kind, system) : contentOf(kind, knownSystem(system, systemOf));
        contents.set(name, await content);
      }
      const content = contents.get(name) ?? null;
      const low = teller.key.toLowerCase();
      if (content === null) refused.unassignable.push(file.key);
      else if (taken.has(low) && added.get(low) !== content) refused.existing.push(teller.key);
      else {
        if (Buffer.byteLength(teller.key) > longestKey)
          throw new TileliftError('source-name-too-long', { subject: teller.key });
        taken.add(low);
        added.set(low, content);
        add(file, teller, content);
      }
    } else refused.unassignable.push(file.key);
  };
  for await (const some of inSlices(files)) {
    for (const file of some) {
      const system = systems.get(file.path);
      if (system === undefined) continue;
      told.add(system);
      await assignTo(file, system);
    }
  }
  if (refused.unassignable.length > 0)
    throw new TileliftError('system-not-assignable', { subject: named(refused.unassignable) });
  if (refused.existing.length > 0)
    throw new TileliftError('system-file-exists', { subject: named(refused.existing) });
  return { inputCrs: onlyOne(ofAll), systems: told };
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

function named(names: readonly string[]) {
  const more = names.length - maxNamed;
  return { names: names.slice(0, maxNamed), ...(more > 0 ? { more } : {}) };
}
