import { posix } from 'node:path';
import type { LookThread } from '../headers/look-thread.ts';
import { isImagine, stretchesForNames } from '../headers/named-files.ts';
import { beginningLength, hasExpectedContent, mayBring } from './allowed-files.ts';

/** What documents name, and whether that may come along with them. */
export interface References {
  /**
   * What a file of a model names: paths relative to the watched folder, `/`-separated, as they are written.
   * Only names that the file may bring along (`mayBring`). What can't be read or understood names nothing.
   */
  readonly read: ReadReferences;
  /**
   * Whether a file that is named has the content that its ending promises (`hasExpectedContent`). What can't
   * be read has not.
   */
  readonly hasContent: (file: FileOnDisk) => Promise<boolean>;
}

export type ReadReferences = (file: FileOnDisk) => Promise<readonly string[]>;

interface FileOnDisk {
  /** Where it is on this computer. */
  readonly path: string;
  /** Relative to the watched folder, `/`-separated. */
  readonly place: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Files whose references are remembered: a watched folder is scanned again and again. */
const maxRemembered = 20_000;

/** Whether references are to be read from a file of this name. */
export const hasReferences = (name: string): boolean => stretchesForNames(name, 0) !== null;

/**
 * Whether a file of this name may say what goes along with it when it is dropped by itself: besides those
 * above an ERDAS `.img`, whose pixels may lie in a file of any name. Watched folders have no need of that.
 */
export const mayLeadOn = (name: string): boolean => hasReferences(name) || isImagine(name);

/** Bytes that are read of such a file. */
export const bytesForReferences = (name: string, size: number): number =>
  (stretchesForNames(name, size) ?? []).reduce((sum, { length }) => sum + length, 0);

/**
 * Reads what models, scenes and virtual rasters name: libraries, pictures, buffers, other documents
 * (`source/heads/named-files.ts`). Only relative paths that stay inside the watched folder count; addresses,
 * embedded data and absolute paths of another computer don't.
 *
 * @param thread reads the files: whoever can write into a watched folder chooses what is in them
 * @param use `dropped`: where a model names a picture of another computer, the picture of that name beside
 *   the model is meant; a watched folder would wait for it. `watched`: a file that is empty or begins with
 *   zeros only is accepted, since a copy that is under way must not look like a file that doesn't belong.
 */
export function createReferences(thread: LookThread, use: 'dropped' | 'watched'): References {
  return {
    read: remembering<readonly string[]>(async ({ path, place, size }) => {
      if (stretchesForNames(place, size) === null && !isImagine(place)) return [];
      const written = await thread.ask({ kind: 'names', path, size });
      if (written === null) return null;
      const beside = (name: string, of: string) => (use === 'dropped' ? besideModel(name, of) : []);
      const places = new Set(written.flatMap((name) => placeOf(name, place) ?? beside(name, place)));
      return [...places].filter((name) => mayBring(place, name));
    }, []),
    hasContent: remembering<boolean>(async ({ path, place }) => {
      const beginning = await thread.ask({ kind: 'beginning', path, length: beginningLength });
      if (beginning === null) return null;
      const isUnwritten = use === 'watched' && beginning.every((byte) => byte === 0);
      return isUnwritten || hasExpectedContent(place, beginning);
    }, false),
  };
}

/** Asks about a file once for as long as it stays as it is; without an answer it gives `nothing`. */
function remembering<Answer>(
  ask: (file: FileOnDisk) => Promise<Answer | null>,
  nothing: Answer,
): (file: FileOnDisk) => Promise<Answer> {
  const remembered = new Map<string, { stamp: string; answer: Answer }>();
  return async (file) => {
    const stamp = `${file.size} ${file.mtimeMs}`;
    // Names lead from a place: of one file there are several, as what it was found in.
    const id = `${file.place}\0${file.path}`;
    const known = remembered.get(id);
    if (known?.stamp === stamp) return known.answer;
    const answer = await ask(file);
    if (answer === null) return nothing;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(id, { stamp, answer });
    return answer;
  };
}

/** Where a name that stands in the file at `place` leads; undefined when out of the watched folder. */
export function placeOf(name: string, place: string): string | undefined {
  const written = name.trim().replaceAll('\\', '/');
  if (written === '' || written.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(written)) return;
  const leads = posix.normalize(posix.join(posix.dirname(place), written));
  return leads === '.' || leads === '..' || leads.startsWith('../') || leads.endsWith('/')
    ? undefined
    : leads;
}

/** On a drive, in a share, or from the root: `C:/t/a.jpg`, `//server/t/a.jpg`, `file:///home/me/a.jpg`. */
const absolute = /^(?:\/|[a-z]:\/|file:\/)/i;

/** Of an absolute path in a model, where its file name alone leads; none for anything else. */
function besideModel(name: string, place: string): readonly string[] {
  const written = name.trim().replaceAll('\\', '/');
  if (!/\.(?:obj|mtl|gltf|dae)$/i.test(place) || !absolute.test(written)) return [];
  const leads = placeOf(posix.basename(written), place);
  return leads === undefined ? [] : [leads];
}
