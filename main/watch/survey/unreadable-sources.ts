import type { WatchRule } from '../rule.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { nameOf } from '../words.ts';

/** Sources of one rule of which something can't be read, each told of once for as long as that lasts. */
export class UnreadableSources {
  readonly #rule: WatchRule;
  readonly #parts: WatchParts;
  #now: ReadonlyMap<string, string> = new Map();

  constructor(rule: WatchRule, parts: WatchParts) {
    this.#rule = rule;
    this.#parts = parts;
  }

  /** By source: the path of what can't be read, absolute. */
  get all(): ReadonlyMap<string, string> {
    return this.#now;
  }

  has(source: string): boolean {
    return this.#now.has(source);
  }

  /** These are all that there are now. */
  set(unreadable: ReadonlyMap<string, string>): void {
    for (const [source, path] of unreadable) {
      if (this.#now.has(source)) continue;
      const values = { name: nameOf(this.#rule, source), path };
      writeActivity(this.#parts, this.#rule.id, { key: 'sources.unreadable', values });
    }
    this.#now = unreadable;
  }
}
