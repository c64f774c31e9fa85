import type { Fix, WholeFinding } from '../../../shared/findings.ts';
import { saidSystem, unnamedSystem } from '../../../shared/source.ts';
import { codeOf, isFlat } from '../crs/systems.ts';
import type { CaptureHead } from '../formats/models/capture.ts';
import { isWellKnownText, systemOfWkt } from '../formats/systems/coordinate-system.ts';
import { axis, eccentricity } from '../formats/systems/earth-centred.ts';
import type { Earth } from './where-it-lies.ts';

type Position = Extract<Fix, { kind: 'position' }>;

const maxKeys = 1_000;
/** What a note says of a system, characters. */
const maxSrs = 60;
/** Farther from its place, a plane upon it rises from the earth by more than 8 cm; metres. */
const maxOffset = 1_000;
const degree = Math.PI / 180;

/**
 * Models whose coordinates count from a place of their own, and what the capture that they come from says of
 * it (`metadata.xml`).
 */
export class Captures {
  readonly #earth: Earth | null;
  readonly #hasModels: boolean;
  readonly #keys: string[] = [];
  readonly #said = new Map<string, CaptureHead>();

  /** `hasModels`: files in the source that a place can be told for by an option of the asset. */
  constructor(earth: Earth | null, hasModels: boolean) {
    this.#earth = earth;
    this.#hasModels = hasModels;
  }

  add(key: string, head: CaptureHead): void {
    if (this.#keys.length < maxKeys) this.#keys.push(key);
    // Of several nobody knows which is meant.
    if (this.#said.size < 2) this.#said.set(JSON.stringify(head), head);
  }

  /** The code of the system that models have whose coordinates are not local; null where nothing says it. */
  get system(): number | null {
    const said = this.#only;
    if (!said || isLocal(said)) return null;
    const system = this.#earth?.systemOf(codeOf(said.srs));
    return system?.kind === 'projected' && isFlat(system) ? system.code : null;
  }

  find(): readonly WholeFinding[] {
    const said = this.#only;
    if (!said || !this.#hasModels || !isLocal(said)) return [];
    const named = isWellKnownText(said.srs) ? (systemOfWkt(said.srs).system ?? unnamedSystem) : said.srs;
    const system = saidSystem(named.length > maxSrs ? `${named.slice(0, maxSrs - 1)}…` : named);
    const fix = this.#positionOf(said);
    return [
      {
        ...{ id: 'local-coordinates', values: { system }, count: this.#keys.length, keys: this.#keys },
        ...(fix && { fix }),
      },
    ];
  }

  get #only(): CaptureHead | null {
    const [said, ...others] = this.#said.values();
    return said && others.length === 0 ? said : null;
  }

  /** Null where heights count from something else than the ellipsoid, or nothing can be computed. */
  #positionOf({ srs, origin: [x, y, z] }: CaptureHead): Position | null {
    const place = /^ENU:\s?(-?[\d.]{1,20}),\s?(-?[\d.]{1,20})$/.exec(srs);
    if (place) return upon(Number(place[1]), Number(place[2]), [x, y, z]);
    const system = this.#earth?.systemOf(codeOf(srs));
    // Of a height nobody says whether it is in metres where the plane is in feet.
    if (system?.kind !== 'projected' || !/\+units=m\b/.test(system.definition ?? '')) return null;
    const at = this.#earth?.toLonLat(system)?.(x, y);
    return at ? position(at[0], at[1], z) : null;
  }
}

/** Where a system stands for a place itself, its origin may well be 0. */
/** Its coordinates count from a place of their own. */
export const isLocal = ({ srs, origin: [x, y] }: CaptureHead): boolean =>
  srs.startsWith('ENU:') || Math.hypot(x, y) > 0;

/** East, north and up of a place, metres. */
function upon(
  latitude: number,
  longitude: number,
  [east, north, up]: CaptureHead['origin'],
): Position | null {
  if (!(Math.abs(latitude) < 89 && Math.abs(longitude) <= 180 && Math.hypot(east, north) <= maxOffset))
    return null;
  const bend = 1 - eccentricity * Math.sin(latitude * degree) ** 2;
  const across = (axis / Math.sqrt(bend)) * Math.cos(latitude * degree);
  const along = (axis * (1 - eccentricity)) / bend ** 1.5;
  return position(longitude + east / across / degree, latitude + north / along / degree, up);
}

/** To the millimetre. */
const position = (longitude: number, latitude: number, height: number): Position => ({
  kind: 'position',
  longitude: Number(longitude.toFixed(8)),
  latitude: Number(latitude.toFixed(8)),
  height: Number(height.toFixed(3)),
});
