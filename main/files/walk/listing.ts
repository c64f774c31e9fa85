import { toKey } from '../paths.ts';

/** The names in one folder: files, folders and links. */
export class Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly links: readonly string[];
  #index: { files: Index; folders: Index } | null = null;

  constructor(files: readonly string[], folders: readonly string[], links: readonly string[] = []) {
    this.files = files;
    this.folders = folders;
    this.links = links;
  }

  /**
   * Returns the disk's spelling of a referenced name: another Unicode form or, as a fallback, another case.
   */
  find(name: string, kind: 'files' | 'folders'): string | undefined {
    this.#index ??= { files: indexOf(this.files), folders: indexOf(this.folders) };
    const index = this.#index[kind];
    return (
      index.exact.get(name) ?? index.exact.get(toKey(name)) ?? index.anyCase.get(toKey(name).toLowerCase())
    );
  }
}

interface Index {
  readonly exact: ReadonlyMap<string, string>;
  readonly anyCase: ReadonlyMap<string, string>;
}

function indexOf(names: readonly string[]): Index {
  const keyed = names.map((name) => [toKey(name), name] as const);
  // Each name finds itself, even next to another Unicode form.
  const exact = new Map([...keyed, ...names.map((name) => [name, name] as const)]);
  return { exact, anyCase: new Map(keyed.map(([key, name]) => [key.toLowerCase(), name])) };
}
