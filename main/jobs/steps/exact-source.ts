import { TileliftError } from '../../errors.ts';
import { Fingerprint, lineOf } from '../../files/fingerprint.ts';
import { createIsDerived } from '../../files/left-out/derived-files.ts';
import type { SourceFile } from '../../files/model.ts';
import { KeyHashes } from '../../files/walk/key-hashes.ts';
import type { ExactSource } from '../model.ts';

/** Files that programs derive from the data may come and go. */
export class ExactSourceCheck {
  readonly #expectedFingerprint: string;
  readonly #allFiles = new Fingerprint();
  readonly #data = new Fingerprint();
  readonly #keys = new KeyHashes();
  readonly #isDerived = createIsDerived((key) => {
    this.#hasAsked = true;
    return this.#keys.has(key);
  });
  #hasAsked = false;
  #undecidedFiles: { readonly key: string; readonly line: string }[] = [];

  constructor(expectedFingerprint: string) {
    this.#expectedFingerprint = expectedFingerprint;
  }

  add(files: readonly SourceFile[]): void {
    for (const { key } of files) this.#keys.add(key);
    for (const file of files) {
      const { key } = file;
      const line = lineOf(file);
      this.#allFiles.add(line);
      this.#hasAsked = false;
      if (this.#isDerived(key)) continue;
      if (this.#hasAsked) this.#undecidedFiles.push({ key, line });
      else this.#data.add(line);
    }
  }

  isExact(): boolean {
    for (const { key, line } of this.#undecidedFiles) if (!this.#isDerived(key)) this.#data.add(line);
    this.#undecidedFiles = [];
    // A source of only derived files is fingerprinted whole.
    return [this.#data.digest(), this.#allFiles.digest()].includes(this.#expectedFingerprint);
  }
}

/** The error of a source that isn't the job's. */
export function sourceChanged(paths: readonly string[]): TileliftError {
  return new TileliftError('source-changed', { subject: nameOf(paths) });
}

function nameOf(paths: readonly string[]): string {
  const [firstPath, ...otherPaths] = paths;
  return otherPaths.length === 0 ? (firstPath ?? '') : `${firstPath} with ${otherPaths.length} more`;
}

/** For the user's retry: the same files with their current content. */
export function withAnyContent(exactSource: ExactSource): ExactSource {
  return { ...exactSource, fingerprint: null };
}
