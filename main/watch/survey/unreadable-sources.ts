import type { TileliftError } from '../../errors.ts';
import type { WatchRule } from '../rule.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { nameOf } from '../words.ts';

/** Sources of one rule of which something can't be read, each told of once for as long as that lasts. */
export class UnreadableSources {
  readonly #rule: WatchRule;
  readonly #parts: WatchParts;
  #now: ReadonlyMap<string, TileliftError> = new Map();
  #since: ReadonlyMap<string, number> = new Map();

  constructor(rule: WatchRule, parts: WatchParts) {
    this.#rule = rule;
    this.#parts = parts;
  }

  /** By source: why it can't be read; the error's subject is the path of what can't be. */
  get all(): ReadonlyMap<string, TileliftError> {
    return this.#now;
  }

  /** By source: since when, ms since the epoch. */
  get since(): ReadonlyMap<string, number> {
    return this.#since;
  }

  has(source: string): boolean {
    return this.#now.has(source);
  }

  /** These are all that there are now. */
  set(unreadable: ReadonlyMap<string, TileliftError>): void {
    for (const [source, { code, subject }] of unreadable) {
      if (this.#now.has(source)) continue;
      const values = { name: nameOf(this.#rule, source), path: String(subject) };
      const key = code === 'source-name-not-utf8' ? 'sources.nameNotUtf8' : 'sources.unreadable';
      writeActivity(this.#parts, this.#rule.id, { key, values });
    }
    const now = this.#parts.clock.now();
    this.#since = new Map(
      Array.from(unreadable.keys(), (source) => [source, this.#since.get(source) ?? now]),
    );
    this.#now = unreadable;
  }
}
