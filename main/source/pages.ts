import { setImmediate } from 'node:timers/promises';

/** Long work on the main thread is done in pages of this length, ms: clearing up takes its time besides. */
const pageMs = 4;
/** Numbers sorted in one go, and so many compared between two looks at the clock. */
const [chunk, looksApart] = [1_000, 50];

/** Lets everything else have its turn when a page is full: `if (page.isFull()) await page.turn()`. */
export interface Page {
  isFull(): boolean;
  turn(): Promise<void>;
}

export function createPage(signal?: AbortSignal): Page {
  return {
    isFull: () => performance.now() - since > pageMs,
    turn: async () => {
      next ??= nextTurn();
      await next;
      signal?.throwIfAborted();
    },
  };
}

/** When this turn of the thread began, as far as pages know: all that are under way share its time. */
let since = 0;
let next: Promise<void> | null = null;

async function nextTurn(): Promise<void> {
  await setImmediate();
  next = null;
  since = performance.now();
}

/** Of files: what is done with a slice takes less than a ms, with as many as may be in one turn a few. */
const [sliceLength, maxInTurn] = [100, 500];

/** All of them, slice by slice; everything else has its turn in between. */
export async function* inSlices<T>(all: readonly T[]): AsyncGenerator<readonly T[]> {
  const page = createPage();
  for (let at = 0; at < all.length; at += sliceLength) {
    if (at > 0 && (at % maxInTurn === 0 || page.isFull())) await page.turn();
    yield all.slice(at, at + sliceLength);
  }
}

/** As `Map.groupBy`, page by page. */
export async function groupInPages<T, Key>(
  all: readonly T[],
  keyOf: (one: T) => Key,
  page: Page,
): Promise<Map<Key, T[]>> {
  const groups = new Map<Key, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
    if (page.isFull()) await page.turn();
  }
  return groups;
}

/** What a text holds, each followed by a NUL. */
export async function textsInPages(all: string, page: Page): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let at = 0, end = all.indexOf('\0'); end !== -1; at = end + 1, end = all.indexOf('\0', at)) {
    texts.push(all.slice(at, end));
    if (page.isFull()) await page.turn();
  }
  return texts;
}

/** As `push` of all of them, of which 200,000 are too many for one call. */
export function add<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/**
 * Sorted by a text of each, like `toSorted`, but 100,000 of them hold up nothing; the same list where it is
 * in order already.
 */
export async function sortInPages<T>(
  all: readonly T[],
  textOf: (one: T) => string,
  page: Page,
): Promise<readonly T[]> {
  if (await isInOrder(all, textOf, page)) return all;
  let [from, to] = [[...all], new Array<T>(all.length)];
  for (let at = 0; at < from.length; at += chunk) {
    const sorted = from.slice(at, at + chunk).sort((a, b) => compare(textOf(a), textOf(b)));
    for (let place = 0; place < sorted.length; place++) from[at + place] = sorted[place] as T;
    if (page.isFull()) await page.turn();
  }
  for (let length = chunk; length < from.length; length *= 2) {
    for (let at = 0; at < from.length; at += 2 * length) await merge(from, to, at, length, textOf, page);
    [from, to] = [to, from];
  }
  return from;
}

async function isInOrder<T>(all: readonly T[], textOf: (one: T) => string, page: Page): Promise<boolean> {
  let before = '';
  for (let at = 0; at < all.length; at++) {
    const text = textOf(all[at] as T);
    if (text < before) return false;
    before = text;
    if (at % looksApart === 0 && page.isFull()) await page.turn();
  }
  return true;
}

/** Puts two sorted runs of this length, the first of which begins at `begin`, together in another list. */
async function merge<T>(
  from: readonly T[],
  to: T[],
  begin: number,
  length: number,
  textOf: (one: T) => string,
  page: Page,
): Promise<void> {
  const middle = Math.min(begin + length, from.length);
  const end = Math.min(middle + length, from.length);
  let [left, right] = [begin, middle];
  for (let at = begin; at < end; at++) {
    const isLeft =
      right === end || (left < middle && compare(textOf(from[left] as T), textOf(from[right] as T)) <= 0);
    to[at] = from[isLeft ? left++ : right++] as T;
    if (at % looksApart === 0 && page.isFull()) await page.turn();
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
