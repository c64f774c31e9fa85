import { identityVersion } from '../../source/left-out/derived-files.ts';
import { neverDataVersion } from '../../source/left-out/never-data.ts';
import { createPage } from '../../source/pages.ts';
import type { Ledger } from '../ledger/ledger-model.ts';
import { looksSame } from '../ledger/same-content.ts';
import { isUnreadable } from '../ledger/second-asset.ts';
import type { FoundSource, LedgerEntry } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { type SurveyOptions, surveyRule, surveySource } from './survey.ts';

/** By which a source was seen: the table of what is never data, and the function that made its identity. */
interface Sight {
  readonly table: number;
  readonly identity: number;
}

/** A source with what the ledger knows of its path, which is something else. */
export interface Different {
  readonly found: FoundSource;
  readonly known: LedgerEntry;
}

/** Sources looked at one by one; more are found faster in one scan of the whole folder. */
const maxSingly = 20;
/** Rows that one transaction takes: a few milliseconds' worth. */
const slice = 500;

/**
 * Sources that were taken while our own tables were shorter: what is left out now, or counts for nothing,
 * counted for them then. A finished folder that holds a `desktop.ini` has not changed because that is left
 * out of it today.
 */
export class EarlierTables {
  readonly #rule: WatchRule;
  readonly #ledger: Pick<Ledger, 'find' | 'learn' | 'renewIdentities'>;
  readonly #surveying: SurveyOptions;
  /** Identities of sources that differ by every table: they are not looked at again until they change. */
  readonly #changed = new Map<string, string>();

  constructor(
    rule: WatchRule,
    ledger: Pick<Ledger, 'find' | 'learn' | 'renewIdentities'>,
    surveying: SurveyOptions,
  ) {
    this.#rule = rule;
    this.#ledger = ledger;
    this.#surveying = surveying;
  }

  /**
   * Where the ledger knows a source as earlier tables saw it, and it is there as it was, the ledger knows it
   * as it is seen now. Gives those that differ by every table.
   */
  async carryOver(sources: readonly FoundSource[]): Promise<readonly Different[]> {
    const page = createPage(this.#surveying.signal);
    const same: FoundSource[] = [];
    const relabelled: string[] = [];
    const different: Different[] = [];
    let left: Different[] = [];
    for (const found of sources) {
      if (page.isFull()) await page.turn();
      const known = this.#ledger.find(this.#rule.id, found.path);
      if (!known || known.state === 'taken' || isUnreadable(known)) continue;
      if (!looksSame(found, known)) {
        const wasSeen = this.#changed.get(found.path) === found.identity;
        (wasSeen ? different : left).push({ found, known });
      } else if (known.identityVersion < identityVersion && known.wantedAt === null)
        relabelled.push(found.path);
    }
    for (const sight of sights()) {
      const asked = left.filter(({ known }) => known.identityVersion === sight.identity);
      const seen = await this.#lookAs(asked, sight);
      const isCarried = ({ found, known }: Different) => {
        const before = seen.get(found.path);
        return before !== undefined && looksSame(before, known);
      };
      const carried = new Set(asked.filter(isCarried));
      for (const { found } of carried) same.push(found);
      left = left.filter((one) => !carried.has(one));
    }
    for (let at = 0; at < relabelled.length; at += slice) {
      this.#ledger.renewIdentities(this.#rule.id, relabelled.slice(at, at + slice));
      await page.turn();
    }
    for (let at = 0; at < same.length; at += slice) {
      this.#ledger.learn(this.#rule.id, same.slice(at, at + slice));
      await page.turn();
    }
    for (const { found } of left) this.#changed.set(found.path, found.identity);
    return [...different, ...left];
  }

  async #lookAs(asked: readonly Different[], sight: Sight): Promise<ReadonlyMap<string, FoundSource>> {
    const options = { ...this.#surveying, ...sight };
    const seen = new Map<string, FoundSource>();
    if (asked.length > maxSingly) {
      const { sources } = await surveyRule(this.#rule, options);
      for (const source of sources) seen.set(source.path, source);
    } else
      for (const { found } of asked) {
        const source = await surveySource(this.#rule, found.path, options);
        if (source) seen.set(found.path, source);
      }
    return seen;
  }
}

/** All but today's, the latest first. */
function sights(): readonly Sight[] {
  const all: Sight[] = [];
  for (let identity = identityVersion; identity > 0; identity -= 1)
    for (let table = neverDataVersion; table > 0; table -= 1) all.push({ table, identity });
  return all.slice(1);
}
