import type { ExpectedSource } from './expected.ts';
import type { Watcher } from './watcher.ts';

/** A user who answers questions by looking at the account: keeps existing assets and uploads the rest. */
export class Person {
  readonly #expectedSources: ReadonlyMap<string, ExpectedSource>;
  readonly #isAsset: (source: ExpectedSource) => boolean;
  readonly #askedPaths = new Set<string>();
  #nextIndex = 0;

  /** `isAsset`: whether the source's newest version is an asset. */
  constructor(
    expectedSources: ReadonlyMap<string, ExpectedSource>,
    isAsset: (source: ExpectedSource) => boolean,
  ) {
    this.#expectedSources = expectedSources;
    this.#isAsset = isAsset;
  }

  /** Sources that were asked about; each version counts once. */
  get askedCount(): number {
    return this.#askedPaths.size;
  }

  get askedAt(): number {
    return this.#nextIndex;
  }

  sitsAt(watcher: Watcher): void {
    watcher.onTiding((tiding) => {
      if (tiding.kind !== 'held') return;
      const { ruleId, path } = tiding;
      const source = this.#expectedSources.get(nameOf(path));
      // Its writer isn't finished yet.
      if (!source) return;
      this.#askedPaths.add(`${ruleId} ${path} ${source.versions.length}`);
      this.#nextIndex = performance.now();
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
  const baseName = path.split('/').at(-1) ?? '';
  return baseName.replace(/ checked$|\.(?:tif|xyz|001)$/, '');
}
