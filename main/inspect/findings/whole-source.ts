import type { Finding, WholeFinding } from '../../../shared/findings.ts';
import type { PhraseValue } from '../../../strings/phrase.ts';
import { areaOfUse } from '../crs/area-of-use.ts';
import { eastFirst, isInDegrees, isSwapped } from '../crs/axis-order.ts';
import { codeOf, flatCodeOf, type System } from '../crs/systems.ts';
import type { GmlHead } from '../formats/documents/markup.ts';
import type { Head } from '../formats/read-file.ts';
import { hasSamples, isDerived, isElevation } from '../headers/describe-headers.ts';
import type { Look } from '../headers/look-inside.ts';
import { Photos } from './photos.ts';
import { type Earth, type Place, placeOf } from './position.ts';
import { Scattered } from './scattered.ts';

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
  readonly #systemUses = new Map<string, Named>();
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
    const findings: Finding[] = [];
    const sidecarSystem = 'system' in head ? this.#earth?.systemByCode(codeOf(sidecarSystemName)) : null;
    // EPSG deprecates faulty definitions; the file may be right (tools/epsg/README.md).
    const isCurrent = system.successor === undefined;
    if (
      sidecarSystem &&
      isCurrent &&
      sidecarSystem.successor === undefined &&
      differ(system, sidecarSystem)
    ) {
      const values = { inside: nameOf(system), beside: nameOf(sidecarSystem) };
      findings.push({ id: 'contradicting-systems', values });
    }
    const written = 'corners' in head ? (head.corners ?? null) : null;
    const place =
      head.kind === 'gml'
        ? this.#placeOfCity(head, system, findings)
        : written && placeOf(written, system, this.#earth);
    if (place?.kind === 'misplaced')
      return !isCurrent
        ? findings
        : [
            ...findings,
            { id: place.why, values: { system: nameOf(system), area: { area: areaOfUse(system) } } },
          ];
    if (place) this.#scattered.add(key, place.lonLat);
    this.#name(key, system);
    return findings;
  }

  /** City models use either axis order. */
  #placeOfCity({ corners, srsName }: GmlHead, system: System, findings: Finding[]): Place | null {
    const way = this.#earth?.toLonLat(system);
    if (!corners || !way || !this.#earth) return null;
    const ordered = eastFirst(corners, system, way);
    if (ordered?.order === 'unclear') {
      const order = isInDegrees(system) ? 'latitudeFirst' : 'eastFirst';
      const values = { system: nameOf(system), order: { key: `findings.axes.${order}` } } as const;
      findings.push({ id: 'unclear-axes', values });
    }
    if (ordered && isSwapped(ordered.order, system, srsName))
      return { kind: 'misplaced', why: 'swapped-axes' };
    return placeOf(ordered?.corners ?? corners, system, this.#earth);
  }

  find(): readonly WholeFinding[] {
    const findings: WholeFinding[] = [];
    const [mostFrequent, ...otherSystems] = [...this.#systemUses].sort(([, a], [, b]) => b.count - a.count);
    if (mostFrequent && otherSystems.length > 0) {
      findings.push({
        id: 'mixed-systems',
        values: { systems: { list: [mostFrequent, ...otherSystems].slice(0, 5).map(([name]) => name) } },
        count: otherSystems.reduce((sum, [, { count }]) => sum + count, 0),
        keys: otherSystems.flatMap(([, { keys }]) => keys).slice(0, maxKeys),
      });
    }
    const far = this.#scattered.farAway();
    if (far) {
      const { kilometres, count, keys } = far;
      findings.push({ id: 'far-away', values: { kilometres }, count, keys });
    }
    if (this.#families.size > 1) {
      const list = [...this.#families]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([family, count]): PhraseValue => ({ key: `findings.family.${family}`, values: { count } }));
      const count = [...this.#families.values()].reduce((sum, familyCount) => sum + familyCount, 0);
      findings.push({ id: 'mixed-kinds', values: { kinds: { list } }, count, keys: [] });
    }
    return [...findings, ...this.#photos.find()];
  }

  /** Code of the 2D system that more than half of the files name, or null. */
  commonest(): number | null {
    const systemUses = [...this.#systemUses];
    const total = systemUses.reduce((sum, [, { count }]) => sum + count, 0);
    const name = systemUses.find(([, { count }]) => count * 2 > total)?.[0] ?? null;
    return name === null || !this.#earth ? null : flatCodeOf(name, this.#earth);
  }

  /** Systems that differ only in heights count as one. */
  #name(key: string, system: System): void {
    const name = nameOf(this.#alike(system));
    const systemUse = this.#systemUses.get(name) ?? { count: 0, keys: [] };
    if (this.#systemUses.size < maxSystems) this.#systemUses.set(name, systemUse);
    systemUse.count += 1;
    if (systemUse.keys.length < maxKeys) systemUse.keys.push(key);
  }

  readonly #systemByDefinition = new Map<string, System>();
  #alike(system: System): System {
    const knownSystem =
      system.definition === null ? undefined : this.#systemByDefinition.get(system.definition);
    if (knownSystem) return knownSystem;
    if (system.definition !== null && this.#systemByDefinition.size < maxSystems)
      this.#systemByDefinition.set(system.definition, system);
    return system;
  }
}

function familyOf(head: Head, key: string): Family | null {
  if (head.kind === 'las') return 'points';
  if (head.kind === 'grid') return 'elevation';
  if (!hasSamples(head) || isDerived(key)) return null;
  return isElevation(head) ? 'elevation' : head.bands >= 3 ? 'images' : null;
}

const differ = (firstSystem: System, secondSystem: System): boolean =>
  firstSystem.definition !== null &&
  secondSystem.definition !== null &&
  firstSystem.definition !== secondSystem.definition;

const nameOf = ({ code }: System): string => `EPSG:${code}`;
