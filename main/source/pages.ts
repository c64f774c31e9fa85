import { setImmediate } from 'node:timers/promises';

/** Long work on the main thread is done in pages of this length, ms: clearing up takes its time besides. */
const pageMs = 4;
/** Numbers sorted in one go. */
const chunk = 1_000;

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

/** Sorted by a text of each, like `sort`, but 100,000 of them hold up nothing. */
export async function sortInPages<T>(
  all: readonly T[],
  textOf: (one: T) => string,
  page: Page,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < all.length; at += chunk) {
    runs.push(all.slice(at, at + chunk).sort((a, b) => compare(textOf(a), textOf(b))));
    if (page.isFull()) await page.turn();
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], textOf, page));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  textOf: (one: T) => string,
  page: Page,
): Promise<T[]> {
  const merged: T[] = [];
  let [a, b] = [0, 0];
  while (a < left.length && b < right.length) {
    const [one, other] = [left[a] as T, right[b] as T];
    if (compare(textOf(one), textOf(other)) <= 0) {
      merged.push(one);
      a++;
    } else {
      merged.push(other);
      b++;
    }
    if (merged.length % chunk === 0 && page.isFull()) await page.turn();
  }
  for (; a < left.length; a++) merged.push(left[a] as T);
  for (; b < right.length; b++) merged.push(right[b] as T);
  return merged;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
