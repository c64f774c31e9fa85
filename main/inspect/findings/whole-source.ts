import type { Finding, WholeFinding } from '../../../shared/findings.ts';
import type { PhraseValue } from '../../../strings/phrase.ts';
import { eastFirst, isInDegrees, isSwapped } from '../crs/axis-order.ts';
import { codeOf, flatCodeOf, type System } from '../crs/systems.ts';
import type { GmlHead } from '../formats/documents/markup.ts';
import type { Head } from '../formats/read-file.ts';
import { hasSamples, isDerived, isElevation } from '../headers/describe-headers.ts';
import type { Look } from '../headers/look-inside.ts';
import { Photos } from './photos.ts';
import { Scattered } from './scattered.ts';
import { type Earth, type Place, placeOf } from './where-it-lies.ts';

type Family = 'points' | 'elevation' | 'images';

interface Named {
  count: number;
  readonly keys: string[];
}

const maxKeys = 1_000;
const maxSystems = 30;

/** Finds problems of files together: location, systems and kinds of data. */
export class WholeSource {
  readonly #earth: Earth | null;
  readonly #scattered = new Scattered();
  readonly #named = new Map<string, Named>();
  readonly #families = new Map<Family, number>();
  readonly #photos = new Photos();

  constructor(earth: Earth | null) {
    this.#earth = earth;
  }

  /** Returns findings about the file's location. */
  add({ key, head, sidecarSystemName }: Look, system: System | null): readonly Finding[] {
    if (!head) return [];
    const family = familyOf(head, key);
    if (family) this.#families.set(family, (this.#families.get(family) ?? 0) + 1);
    if (head.kind === 'jpeg') {
      this.#photos.add(key, head);
      if (head.position) this.#scattered.add(key, head.position);
    }
    if (!system || !this.#earth) return [];
    const found: Finding[] = [];
    const other = 'system' in head ? this.#earth?.systemByCode(codeOf(sidecarSystemName)) : null;
    // EPSG deprecates faulty definitions; the file may be right (tools/epsg/README.md).
    const isCurrent = system.successor === undefined;
    if (other && isCurrent && other.successor === undefined && differ(system, other)) {
      const values = { inside: nameOf(system), beside: nameOf(other) };
      found.push({ id: 'contradicting-systems', values });
    }
    const written = 'corners' in head ? (head.corners ?? null) : null;
    const place =
      head.kind === 'gml'
        ? this.#placeOfCity(head, system, found)
        : written && placeOf(written, system, this.#earth);
    if (place?.kind === 'misplaced')
      return !isCurrent
        ? found
        : [...found, { id: place.why, values: { system: nameOf(system), area: system.area } }];
    if (place) this.#scattered.add(key, place.at);
    this.#name(key, system);
    return found;
  }

  /** City models use either axis order. */
  #placeOfCity({ corners, srsName }: GmlHead, system: System, found: Finding[]): Place | null {
    const way = this.#earth?.toLonLat(system);
    if (!corners || !way || !this.#earth) return null;
    const ordered = eastFirst(corners, system, way);
    if (ordered?.order === 'unclear') {
      const order = isInDegrees(system) ? 'latitudeFirst' : 'eastFirst';
      const values = { system: nameOf(system), order: { key: `findings.axes.${order}` } } as const;
      found.push({ id: 'unclear-axes', values });
    }
    if (ordered && isSwapped(ordered.order, system, srsName))
      return { kind: 'misplaced', why: 'swapped-axes' };
    return placeOf(ordered?.corners ?? corners, system, this.#earth);
  }

  find(): readonly WholeFinding[] {
    const found: WholeFinding[] = [];
    const [first, ...others] = [...this.#named].sort(([, a], [, b]) => b.count - a.count);
    if (first && others.length > 0) {
      found.push({
        id: 'mixed-systems',
        values: { systems: { list: [first, ...others].slice(0, 5).map(([name]) => name) } },
        count: others.reduce((sum, [, { count }]) => sum + count, 0),
        keys: others.flatMap(([, { keys }]) => keys).slice(0, maxKeys),
      });
    }
    const far = this.#scattered.farAway();
    if (far) {
      const { kilometres, count, keys } = far;
      found.push({ id: 'far-away', values: { kilometres }, count, keys });
    }
    if (this.#families.size > 1) {
      const list = [...this.#families]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([family, count]): PhraseValue => ({ key: `findings.family.${family}`, values: { count } }));
      const count = [...this.#families.values()].reduce((sum, one) => sum + one, 0);
      found.push({ id: 'mixed-kinds', values: { kinds: { list } }, count, keys: [] });
    }
    return [...found, ...this.#photos.find()];
  }

  /** Code of the 2D system that more than half of the files name, or null. */
  commonest(): number | null {
    const all = [...this.#named];
    const total = all.reduce((sum, [, { count }]) => sum + count, 0);
    const name = all.find(([, { count }]) => count * 2 > total)?.[0] ?? null;
    return name === null || !this.#earth ? null : flatCodeOf(name, this.#earth);
  }

  /** Systems that differ only in heights count as one. */
  #name(key: string, system: System): void {
    const name = nameOf(this.#alike(system));
    const named = this.#named.get(name) ?? { count: 0, keys: [] };
    if (this.#named.size < maxSystems) this.#named.set(name, named);
    named.count += 1;
    if (named.keys.length < maxKeys) named.keys.push(key);
  }

  readonly #first = new Map<string, System>();
  #alike(system: System): System {
    const known = system.definition === null ? undefined : this.#first.get(system.definition);
    if (known) return known;
    if (system.definition !== null && this.#first.size < maxSystems)
      this.#first.set(system.definition, system);
    return system;
  }
}

function familyOf(head: Head, key: string): Family | null {
  if (head.kind === 'las') return 'points';
  if (head.kind === 'grid') return 'elevation';
  if (!hasSamples(head) || isDerived(key)) return null;
  return isElevation(head) ? 'elevation' : head.bands >= 3 ? 'images' : null;
}

const differ = (one: System, other: System): boolean =>
  one.definition !== null && other.definition !== null && one.definition !== other.definition;

const nameOf = ({ code }: System): string => `EPSG:${code}`;
