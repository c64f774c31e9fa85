/** Returns the indexes of matching items, ascending. */
export function placesWhere<T>(all: Iterable<T>, fits: (one: T) => boolean): number[] {
  const places: number[] = [];
  let place = 0;
  for (const one of all) {
    if (fits(one)) places.push(place);
    place += 1;
  }
  return places;
}

/** Groups the indexes of items by key, ascending. */
export function groupPlaces<T, Key>(all: Iterable<T>, keyOf: (one: T) => Key): Map<Key, number[]> {
  const groups = new Map<Key, number[]>();
  let place = 0;
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
    place += 1;
  }
  return groups;
}

/** Pushes any number of items; one `push` call fails with 200,000. */
export function add<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/** Sorts by a text that is computed once per item. */
export function sortedBy<T>(all: readonly T[], textOf: (one: T) => string): T[] {
  const texts = all.map((one) => ({ one, text: textOf(one) }));
  texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return texts.map(({ one }) => one);
}
