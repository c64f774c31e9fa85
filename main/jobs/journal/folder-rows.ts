import type { PlannedFile } from './journal-model.ts';

/** What rows of files share: see `folders` in the schema. */
interface Folder {
  readonly path: string;
  readonly keyPrefix: string;
  readonly device: string | null;
}

/** A file as its row names it. */
interface NamedFile {
  readonly folder: Folder;
  readonly name: string;
  /** Null: as `name`. */
  readonly keyName: string | null;
  /** A number on the folder's device; text names both; null where none is known. */
  readonly inode: number | string | null;
}

/** Cuts a file's path and key at their last separators, and its identity into device and number. */
export function nameIn({ path, key, identity }: Pick<PlannedFile, 'path' | 'key' | 'identity'>): NamedFile {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  const keyAt = key.lastIndexOf('/') + 1;
  const name = path.slice(at);
  const keyName = key.slice(keyAt);
  const fileId = identity?.fileId ?? null;
  const [device, inode] = devices(fileId);
  return {
    folder: { path: path.slice(0, at), keyPrefix: key.slice(0, keyAt), device },
    name,
    keyName: keyName === name ? null : keyName,
    inode,
  };
}

function devices(fileId: string | null): readonly [string | null, number | string | null] {
  if (fileId === null) return [null, null];
  const colon = fileId.indexOf(':');
  const inode = Number(fileId.slice(colon + 1));
  // Whatever does not come back the same stays text.
  const isExact = colon > 0 && Number.isSafeInteger(inode) && `${inode}` === fileId.slice(colon + 1);
  return isExact ? [fileId.slice(0, colon), inode] : [null, fileId];
}

/** Folders looked up without asking the database, at most: a scan comes from a few at a time. */
const maxKnown = 256;

/** Numbers of the folders that were written last. One that is forgotten is written once more. */
export class KnownFolders {
  readonly #numbers = new Map<string, number>();

  number(plan: number, { path, keyPrefix, device }: Folder, add: () => number): number {
    const name = JSON.stringify([plan, path, keyPrefix, device]);
    const number = this.#numbers.get(name) ?? add();
    this.#numbers.delete(name);
    this.#numbers.set(name, number);
    if (this.#numbers.size > maxKnown) this.#numbers.delete(this.#numbers.keys().next().value ?? '');
    return number;
  }

  clear(): void {
    this.#numbers.clear();
  }
}
