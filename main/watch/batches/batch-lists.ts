import { lstat, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errno.ts';
import { TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { createIsDerived } from '../../files/left-out/derived-files.ts';
import { parseJson } from '../../service/answer.ts';
import type { Claims } from '../claims/claims.ts';
import { SeenClaims } from '../claims/seen-claims.ts';
import { carefully, entryAt, type HeldFolder, holdOwnFolder } from '../folder/held-folder.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { ownFolder } from '../survey/left-out.ts';
import type { WatchParts } from '../watch-parts.ts';
import { batchNumber } from './batch-path.ts';

/**
 * What arrived together in a folder that several computers watch: a file for each batch that names its files,
 * written before anything is made of it and never changed after that. Numbers are given in turn, and only one
 * computer can make the file of a number. Others write there too: names in a list are only ever compared with
 * what is in the folder.
 */

const listSchema = z.object({ version: z.literal(1), files: z.array(z.string().max(40_000)).max(2_000_000) });
/** Bytes of all lists of a folder. Whoever can write there must not make this computer read without end. */
const maxBytes = 64 * 1024 * 1024;
const form = /^([1-9]\d{0,8})\.(json|gone)$/;

export type { BatchLists };

interface SharedBatches {
  /** By their numbers. */
  readonly lists: ReadonlyMap<number, readonly string[]>;
  /** Numbers of batches that were moved away, or of which nothing was made. */
  readonly gone: ReadonlySet<number>;
  /** The highest number that was ever given; 0 before the first. */
  readonly last: number;
  /** A list is only half there: whoever writes it knows of files that nobody else may take. */
  readonly isBeingMade: boolean;
}

/** One for a folder and a journal: how long a list has been half there is known to whoever has watched it. */
const kept = new WeakMap<WatchParts['ledger'], Map<string, BatchLists>>();

/** The lists of a watched folder, as this computer has come to know them. */
export function listsOf(
  folder: string,
  parts: Pick<WatchParts, 'ledger' | 'timing' | 'elapsed'>,
): BatchLists {
  const ofLedger = kept.get(parts.ledger) ?? new Map<string, BatchLists>();
  kept.set(parts.ledger, ofLedger);
  const lists = ofLedger.get(folder) ?? new BatchLists(folder, parts);
  ofLedger.set(folder, lists);
  return lists;
}

/**
 * Everything throws `watch-claims-unwritable` where the folder can't be used. While something foreign stands
 * in the place of Tilelift's own folder there are no lists, as there are no claims.
 */
class BatchLists {
  readonly #folder: string;
  readonly #known = new Map<number, { readonly files: readonly string[]; readonly bytes: number }>();
  readonly #halves: SeenClaims;
  /** In which folder the known ones are: another drive may be put in the place of one. */
  #seenIn = '';

  constructor(folder: string, { timing, elapsed }: Pick<WatchParts, 'timing' | 'elapsed'>) {
    this.#folder = folder;
    this.#halves = new SeenClaims(timing.staleClaimMs, elapsed);
  }

  async read(): Promise<SharedBatches> {
    const none: SharedBatches = { lists: new Map(), gone: new Set(), last: 0, isBeingMade: false };
    if (!(await isThere(join(this.#folder, ownFolder, 'batches')))) return none;
    return this.#within(none, async (held) => {
      const { dev, ino } = await stat(held.path, { bigint: true });
      const place = `${dev} ${ino}`;
      if (place !== this.#seenIn) this.#known.clear();
      this.#seenIn = place;
      const lists = new Map<number, readonly string[]>();
      const gone = new Set<number>();
      const numbers: number[] = [];
      for (const name of await readdir(held.path)) {
        const [, digits, extension] = form.exec(name) ?? [];
        if (digits === undefined) continue;
        if (extension === 'gone') gone.add(Number(digits));
        numbers.push(Number(digits));
      }
      let isBeingMade = false;
      for (const number of new Set(numbers)) {
        if (gone.has(number)) continue;
        const files = this.#known.get(number)?.files ?? (await this.#readOne(held, number));
        if (files) lists.set(number, files);
        else if (files === undefined) isBeingMade = true;
      }
      return { lists, gone, last: numbers.reduce((most, one) => Math.max(most, one), 0), isBeingMade };
    });
  }

  /** False where there is a list of this number already. */
  write(number: number, files: readonly string[]): Promise<boolean> {
    return this.#within(true, async (held) => {
      const file = await open(held.at(`${number}.json`), 'wx').catch((error) => {
        if (hasCode(error, 'EEXIST')) return null;
        throw error;
      });
      if (!file) return false;
      try {
        await file.writeFile(JSON.stringify({ version: 1, files }));
        await file.sync();
      } catch (error) {
        // Half of it would keep others waiting.
        await unlink(held.at(`${number}.json`)).catch(() => {});
        throw error;
      } finally {
        await file.close();
      }
      return true;
    });
  }

  /**
   * Makes a batch of these files under this number. False where any of them is in another batch: nothing has
   * been made then. Whoever writes looks afterwards, so that of two computers that write at once at least one
   * sees the other.
   */
  async form(number: number, files: readonly string[]): Promise<boolean> {
    if (!(await this.write(number, files))) {
      const there = new Set((await this.read()).lists.get(number));
      const isDerived = createIsDerived((key) => there.has(key));
      return files.every((key) => there.has(key) || isDerived(key));
    }
    const mine = new Set(files);
    const { lists, isBeingMade } = await this.read();
    const others = [...lists].filter(([other]) => other !== number);
    if (!isBeingMade && !others.some(([, theirs]) => theirs.some((key) => mine.has(key)))) return true;
    await this.end(number);
    return false;
  }

  /** What comes by the names of this batch from now on is new. */
  end(number: number): Promise<void> {
    this.#known.delete(number);
    return this.#within(undefined, async (held) => {
      await open(held.at(`${number}.gone`), 'wx').then((file) => file.close(), unlessCode('EEXIST'));
      await unlink(held.at(`${number}.json`)).catch(unlessCode('ENOENT'));
    });
  }

  /** Undefined for what is only half there; null for what has been so for long, and for what is no list. */
  async #readOne(held: HeldFolder, number: number): Promise<readonly string[] | null | undefined> {
    const name = `${number}.json`;
    const stats = await entryAt(held, name);
    if (!stats?.isFile() || stats.nlink > 1n) return null;
    const bytes = Number(stats.size);
    if (bytes + this.#bytesKnown() > maxBytes)
      throw new Error('the lists of what arrived together are too large');
    // Ended since it was listed.
    const text = await textOf(held, name);
    if (text === null) return null;
    const files = listSchema.safeParse(parseJson(text)).data?.files;
    if (files) this.#known.set(number, { files, bytes });
    else if (this.#halves.isStale(name, `${stats.ino} ${stats.size} ${stats.mtimeNs}`)) return null;
    return files;
  }

  #bytesKnown(): number {
    return [...this.#known.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #within<T>(without: T, work: (held: HeldFolder) => Promise<T>): Promise<T> {
    try {
      await using held = await holdOwnFolder(this.#folder, 'batches');
      const answer = await work(held);
      await held.check();
      return answer;
    } catch (cause) {
      if (cause instanceof TileliftError && cause.code === 'watch-own-folder-foreign') return without;
      throw new TileliftError('watch-claims-unwritable', { subject: this.#folder, cause });
    }
  }
}

async function textOf(held: HeldFolder, name: string): Promise<string | null> {
  try {
    await using file = await open(held.at(name), carefully);
    return await file.readFile('utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

const unlessCode = (code: string) => (error: unknown) => {
  if (!hasCode(error, code)) throw error;
};

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Tells other computers what is in a batch, before anything is made of it. `theirs`: they have made one of
 * some of its files, and the claim was given back. Other sources need no telling. Throws
 * `watch-claims-unwritable`.
 */
export async function listBatch(
  rule: WatchRule,
  { path, files }: FoundSource,
  claims: Pick<Claims, 'release'>,
  parts: WatchParts,
): Promise<'ours' | 'theirs'> {
  const number = batchNumber(path);
  if (number === null || parts.ledger.find(rule.id, path)) return 'ours';
  const keys = files.map(({ key }) => key);
  if (await listsOf(rule.folder, parts).form(number, keys)) return 'ours';
  await claims.release(path);
  return 'theirs';
}

/** The batch was moved away: what comes by its names is new, for other computers too. */
export async function endList(rule: WatchRule, path: string, parts: WatchParts): Promise<void> {
  const number = batchNumber(path);
  if (!rule.shared || number === null) return;
  await listsOf(rule.folder, parts)
    .end(number)
    .catch((thrown) => {
      const error = toErrorRecord(toTileliftError(thrown));
      parts.log.warn({ ruleId: rule.id, error }, 'that a batch was moved away could not be told');
    });
}
