/** Places of those that fit, in ascending order. */
export function placesWhere<T>(all: Iterable<T>, fits: (one: T) => boolean): number[] {
  const places: number[] = [];
  let place = 0;
  for (const one of all) {
    if (fits(one)) places.push(place);
    place += 1;
  }
  return places;
}

/** Places of all of them, in ascending order, by what they have in common. */
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

/** As `push` of all of them, of which 200,000 are too many for one call. */
export function add<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/** Sorted by a text of each, which is made once. */
export function sortedBy<T>(all: readonly T[], textOf: (one: T) => string): T[] {
  const texts = all.map((one) => ({ one, text: textOf(one) }));
  texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return texts.map(({ one }) => one);
}
