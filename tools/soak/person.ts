import type { Expected } from './expected.ts';
import type { Watcher } from './watcher.ts';

/** A user who answers questions by looking at the account: keeps existing assets and uploads the rest. */
export class Person {
  readonly #expected: ReadonlyMap<string, Expected>;
  readonly #isAsset: (source: Expected) => boolean;
  readonly #asked = new Set<string>();
  #at = 0;

  /** `isAsset`: whether the source's newest version is an asset. */
  constructor(expected: ReadonlyMap<string, Expected>, isAsset: (source: Expected) => boolean) {
    this.#expected = expected;
    this.#isAsset = isAsset;
  }

  /** Sources that were asked about; each version counts once. */
  get asked(): number {
    return this.#asked.size;
  }

  get askedAt(): number {
    return this.#at;
  }

  sitsAt(watcher: Watcher): void {
    watcher.onTiding((tiding) => {
      if (tiding.kind !== 'held') return;
      const { ruleId, path } = tiding;
      const source = this.#expected.get(nameOf(path));
      // Its writer isn't finished yet.
      if (!source) return;
      this.#asked.add(`${ruleId} ${path} ${source.versions.length}`);
      this.#at = performance.now();
      watcher.send({
        kind: 'choose',
        ruleId,
        path,
        choice: this.#isAsset(source) ? 'leave-it' : 'make-asset',
      });
    });
  }
}

/** Derives the writer's name from a source's name in its folder. */
function nameOf(path: string): string {
  const own = path.split('/').at(-1) ?? '';
  return own.replace(/ checked$|\.(?:tif|xyz|001)$/, '');
}
