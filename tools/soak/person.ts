import type { Expected } from './expected.ts';
import type { Watcher } from './watcher.ts';

/**
 * Someone who answers what Tilelift asks, by looking at what the account has: what is an asset already is
 * left as it is, all else is to become one.
 */
export class Person {
  readonly #expected: ReadonlyMap<string, Expected>;
  readonly #isAsset: (source: Expected) => boolean;
  readonly #asked = new Set<string>();
  #at = 0;

  /** `isAsset`: the newest version of the source is one. */
  constructor(expected: ReadonlyMap<string, Expected>, isAsset: (source: Expected) => boolean) {
    this.#expected = expected;
    this.#isAsset = isAsset;
  }

  /** Sources that were asked about, each time counted once. */
  get asked(): number {
    return this.#asked.size;
  }

  /** When the last question came, by `performance.now()`. */
  get askedAt(): number {
    return this.#at;
  }

  sitsAt(watcher: Watcher): void {
    watcher.onTiding((tiding) => {
      if (tiding.kind !== 'held') return;
      const { ruleId, path } = tiding;
      const source = this.#expected.get(nameOf(path));
      // Whoever writes it is not ready yet.
      if (!source) return;
      this.#asked.add(`${ruleId} ${path} ${source.versions.length}`);
      this.#at = performance.now();
      watcher.tell({
        kind: 'choose',
        ruleId,
        path,
        choice: this.#isAsset(source) ? 'leave-it' : 'make-asset',
      });
    });
  }
}

/** By what a source is called in its folder, how its writer calls it. */
function nameOf(path: string): string {
  const own = path.split('/').at(-1) ?? '';
  return own.replace(/ checked$|\.(?:tif|xyz|001)$/, '');
}
