import { TileliftError } from '../../errors.ts';
import { Fingerprint, lineOf } from '../../files/fingerprint.ts';
import { createIsDerived } from '../../files/left-out/derived-files.ts';
import type { SourceFile } from '../../files/model.ts';
import { KeyHashes } from '../../files/walk/key-hashes.ts';
import type { ExactSource } from '../model.ts';

/**
 * Whether files are those that a job is for, page by page as they are found. What programs derive from the
 * data when someone looks at them may have come or gone.
 */
export class ExactLook {
  readonly #wanted: string;
  readonly #all = new Fingerprint();
  readonly #data = new Fingerprint();
  readonly #keys = new KeyHashes();
  readonly #isDerived = createIsDerived((key) => {
    this.#hasAsked = true;
    return this.#keys.has(key);
  });
  #hasAsked = false;
  /** Derived, should there be a file beside them that has not been found yet. */
  #open: { readonly key: string; readonly line: string }[] = [];

  /** `wanted`: the fingerprint. */
  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  add(files: readonly SourceFile[]): void {
    for (const { key } of files) this.#keys.add(key);
    for (const file of files) {
      const { key } = file;
      const line = lineOf(file);
      this.#all.add(line);
      this.#hasAsked = false;
      if (this.#isDerived(key)) continue;
      if (this.#hasAsked) this.#open.push({ key, line });
      else this.#data.add(line);
    }
  }

  /** When all have been added. */
  isExact(): boolean {
    for (const { key, line } of this.#open) if (!this.#isDerived(key)) this.#data.add(line);
    this.#open = [];
    // The fingerprint of a source that holds nothing but derived files covers all of them.
    return [this.#data.digest(), this.#all.digest()].includes(this.#wanted);
  }
}

/** A source that is not what its job is for. */
export function sourceChanged(paths: readonly string[]): TileliftError {
  return new TileliftError('source-changed', { subject: nameOf(paths) });
}

function nameOf(paths: readonly string[]): string {
  const [first, ...others] = paths;
  return others.length === 0 ? (first ?? '') : `${first} with ${others.length} more`;
}

/** For a job that someone wants once more: the same files by the same keys, but as they are by then. */
export function asItIs(exactly: ExactSource): ExactSource {
  return { ...exactly, fingerprint: null };
}
