import { posix } from 'node:path';
import { isErdasImage, referenceRanges } from '../headers/file-references.ts';
import type { InspectionThread } from '../headers/inspection-thread.ts';
import { beginningLength, hasExpectedContent, mayBring } from './allowed-files.ts';

/** Reads the references of documents and checks their targets. */
export interface References {
  /**
   * Returns allowed references (`mayBring`), relative to the watched folder, `/`-separated. Unreadable files
   * yield none.
   */
  readonly read: ReadReferences;
  /**
   * Whether a file has the content that its extension promises (`hasExpectedContent`); false if unreadable.
   */
  readonly hasContent: (file: FileOnDisk) => Promise<boolean>;
  /** Returns at most `length` bytes; null if unreadable. */
  readonly readBeginning: (
    file: Pick<FileOnDisk, 'path' | 'folder'>,
    length: number,
  ) => Promise<Uint8Array | null>;
}

export type ReadReferences = (file: FileOnDisk) => Promise<readonly string[]>;

interface FileOnDisk {
  /** Absolute. */
  readonly path: string;
  /** Relative to the watched folder, `/`-separated. */
  readonly place: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** A watched folder, outside of which nothing is read. */
  readonly folder?: string;
}

/** Cached files, since watched folders are scanned repeatedly. */
const maxRemembered = 20_000;

export const hasReferences = (name: string): boolean => referenceRanges(name, 0) !== null;

/**
 * Like `hasReferences`, plus ERDAS `.img`, whose pixels may be in a file of any name. Only for dropped files.
 */
export const mayLeadOn = (name: string): boolean => hasReferences(name) || isErdasImage(name);

export const bytesForReferences = (name: string, size: number): number =>
  (referenceRanges(name, size) ?? []).reduce((sum, { length }) => sum + length, 0);

/**
 * Reads references of models, scenes and virtual rasters (`../headers/file-references.ts`). Only relative
 * paths inside the watched folder count, not addresses, embedded data or absolute paths.
 *
 * @param thread reads the files, which are untrusted
 * @param use `dropped`: an absolute path in a model means the file of that name next to the model; a watched
 * folder would wait for it. `watched`: accepts files that are empty or start with zeros, which may still be
 * copied
 */
export function createReferences(thread: InspectionThread, use: 'dropped' | 'watched'): References {
  const readBeginning: References['readBeginning'] = ({ path, folder }, length) =>
    thread.ask({ kind: 'beginning', path, length, ...inside(folder) });
  return {
    readBeginning,
    read: remembering<readonly string[]>(async ({ path, place, size, folder }) => {
      if (referenceRanges(place, size) === null && !isErdasImage(place)) return [];
      const written = await thread.ask({ kind: 'names', path, size, ...inside(folder) });
      if (written === null) return null;
      const namesBeside = (name: string, referencingFile: string) =>
        use === 'dropped' ? besideModel(name, referencingFile) : [];
      const places = new Set(written.flatMap((name) => placeOf(name, place) ?? namesBeside(name, place)));
      return [...places].filter((name) => mayBring(place, name));
    }, []),
    hasContent: remembering<boolean>(async (file) => {
      const beginning = await readBeginning(file, beginningLength);
      if (beginning === null) return null;
      const isUnwritten = use === 'watched' && beginning.every((byte) => byte === 0);
      return isUnwritten || hasExpectedContent(file.place, beginning);
    }, false),
  };
}

const inside = (folder: string | undefined) => (folder === undefined ? {} : { folder });

/** Caches answers until size or time of the file changes. */
function remembering<Answer>(
  ask: (file: FileOnDisk) => Promise<Answer | null>,
  nothing: Answer,
): (file: FileOnDisk) => Promise<Answer> {
  const remembered = new Map<string, { stamp: string; answer: Answer }>();
  return async (file) => {
    const stamp = `${file.size} ${file.mtimeMs}`;
    // References are relative to the place, and one file can have several places.
    const id = `${file.place}\0${file.path}`;
    const cachedAnswer = remembered.get(id);
    if (cachedAnswer?.stamp === stamp) return cachedAnswer.answer;
    const answer = await ask(file);
    if (answer === null) return nothing;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(id, { stamp, answer });
    return answer;
  };
}

/** Resolves a reference in the file at `place`; undefined if it leaves the watched folder. */
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

/** Resolves an absolute path in a model to its file name next to the model. */
function besideModel(name: string, place: string): readonly string[] {
  const written = name.trim().replaceAll('\\', '/');
  if (!/\.(?:obj|mtl|gltf|dae)$/i.test(place) || !absolute.test(written)) return [];
  const leads = placeOf(posix.basename(written), place);
  return leads === undefined ? [] : [leads];
}
