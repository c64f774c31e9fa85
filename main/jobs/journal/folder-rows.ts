import type { PlannedFile } from './journal-model.ts';

interface Folder {
  readonly path: string;
  readonly keyPrefix: string;
  readonly device: string | null;
}

interface NamedFile {
  readonly folder: Folder;
  readonly name: string;
  /** Null: equals `name`. */
  readonly keyName: string | null;
  /** A number on the folder's device, or text with both; null if unknown. */
  readonly inode: number | string | null;
}

/** Splits path and key at their last separators, and the identity into device and number. */
export function nameIn({ path, key, identity }: Pick<PlannedFile, 'path' | 'key' | 'identity'>): NamedFile {
  const nameStart = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  const keyAt = key.lastIndexOf('/') + 1;
  const name = path.slice(nameStart);
  const keyName = key.slice(keyAt);
  const fileId = identity?.fileId ?? null;
  const [device, inode] = devices(fileId);
  return {
    folder: { path: path.slice(0, nameStart), keyPrefix: key.slice(0, keyAt), device },
    name,
    keyName: keyName === name ? null : keyName,
    inode,
  };
}

function devices(fileId: string | null): readonly [string | null, number | string | null] {
  if (fileId === null) return [null, null];
  const colon = fileId.indexOf(':');
  const inode = Number(fileId.slice(colon + 1));
  // Keep as text what a number can't represent.
  const isExact = colon > 0 && Number.isSafeInteger(inode) && `${inode}` === fileId.slice(colon + 1);
  return isExact ? [fileId.slice(0, colon), inode] : [null, fileId];
}

const maxKnown = 256;

/** Evicted folders are written again. */
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
