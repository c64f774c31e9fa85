import { setImmediate } from 'node:timers/promises';

/** Long work on the main thread is done in pages of this length, ms: clearing up takes its time besides. */
const pageMs = 4;
/**
 * So many are sorted in one go, and compared between two looks at the clock: each text may have to be made.
 */
const [chunk, looksApart] = [1_000, 10];

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

/** A list, or what makes each of its own when it is asked for. */
interface Listed<T> extends Iterable<T> {
  readonly length: number;
}

/** All of them, slice by slice; everything else has its turn in between. */
export async function* inSlices<T>(all: Listed<T>): AsyncGenerator<readonly T[]> {
  const page = createPage();
  let [slice, at]: [T[], number] = [[], 0];
  for (const one of all) {
    slice.push(one);
    at += 1;
    if (slice.length < sliceLength && at < all.length) continue;
    yield slice;
    slice = [];
    if (at < all.length && (at % maxInTurn === 0 || page.isFull())) await page.turn();
  }
}

/** Places of those that fit, in ascending order. */
export async function placesInPages<T>(
  all: Iterable<T>,
  fits: (one: T) => boolean,
  page: Page,
): Promise<readonly number[]> {
  const places: number[] = [];
  let place = 0;
  for (const one of all) {
    if (fits(one)) places.push(place);
    place += 1;
    if (page.isFull()) await page.turn();
  }
  return places;
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

/** Places of all of them, in ascending order, by what they have in common. */
export async function groupPlaces<T, Key>(
  all: Iterable<T>,
  keyOf: (one: T) => Key,
  page: Page,
): Promise<Map<Key, number[]>> {
  const groups = new Map<Key, number[]>();
  let place = 0;
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
    place += 1;
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
    const sorted: { readonly one: T; readonly text: string }[] = [];
    for (const one of from.slice(at, at + chunk)) {
      sorted.push({ one, text: textOf(one) });
      if (sorted.length % looksApart === 0 && page.isFull()) await page.turn();
    }
    sorted.sort((a, b) => compare(a.text, b.text));
    for (const [place, { one }] of sorted.entries()) from[at + place] = one;
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
  /** A text may have to be made each time: it is asked for once. */
  const textAt = (at: number, end: number) => (at < end ? textOf(from[at] as T) : null);
  let [left, right] = [begin, middle];
  let [leftText, rightText] = [textAt(left, middle), textAt(right, end)];
  for (let at = begin; at < end; at++) {
    if (rightText === null || (leftText !== null && leftText <= rightText)) {
      to[at] = from[left++] as T;
      leftText = textAt(left, middle);
    } else {
      to[at] = from[right++] as T;
      rightText = textAt(right, end);
    }
    if (at % looksApart === 0 && page.isFull()) await page.turn();
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
