/** Returns the indexes of matching items, ascending. */
export function placesWhere<T>(items: Iterable<T>, isMatch: (item: T) => boolean): number[] {
  const places: number[] = [];
  let place = 0;
  for (const item of items) {
    if (isMatch(item)) places.push(place);
    place += 1;
  }
  return places;
}

/** Groups the indexes of items by key, ascending. */
export function groupPlaces<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): Map<Key, number[]> {
  const groups = new Map<Key, number[]>();
  let place = 0;
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
    place += 1;
  }
  return groups;
}

/** Pushes any number of items; one `push` call fails with 200,000. */
export function add<T>(list: T[], additions: readonly T[]): void {
  for (const item of additions) list.push(item);
}

/** Sorts by a text that is computed once per item. */
export function sortedBy<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const texts = items.map((item) => ({ one: item, text: textOf(item) }));
  texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return texts.map(({ one: item }) => item);
}
