import type { Fix, WholeFinding } from '../../../shared/findings.ts';
import { saidSystem, unnamedSystem } from '../../../shared/source.ts';
import { codeOf, isFlat } from '../crs/systems.ts';
import type { CaptureHead } from '../formats/models/capture.ts';
import { isWellKnownText, systemOfWkt } from '../formats/systems/coordinate-system.ts';
import { eccentricity, majorAxis } from '../formats/systems/earth-centred.ts';
import type { Earth } from './position.ts';

type Position = Extract<Fix, { kind: 'position' }>;

const maxKeys = 1_000;
const maxSrs = 60;
/** Metres; farther out, a tangent plane is more than 8 cm above the earth. */
const maxOffset = 1_000;
const degree = Math.PI / 180;

/** Finds models with local coordinates, and their position from the capture's `metadata.xml`. */
export class Captures {
  readonly #earth: Earth | null;
  readonly #hasModels: boolean;
  readonly #keys: string[] = [];
  readonly #headers = new Map<string, CaptureHead>();

  /** `hasModels`: some files can be placed by an asset option. */
  constructor(earth: Earth | null, hasModels: boolean) {
    this.#earth = earth;
    this.#hasModels = hasModels;
  }

  add(key: string, head: CaptureHead): void {
    if (this.#keys.length < maxKeys) this.#keys.push(key);
    // Two different captures are ambiguous.
    if (this.#headers.size < 2) this.#headers.set(JSON.stringify(head), head);
  }

  /** EPSG code of models in a projected system, or null. */
  get system(): number | null {
    const header = this.#only;
    if (!header || isLocal(header)) return null;
    const system = this.#earth?.systemByCode(codeOf(header.srs));
    return system?.kind === 'projected' && isFlat(system) ? system.code : null;
  }

  find(): readonly WholeFinding[] {
    const header = this.#only;
    if (!header || !this.#hasModels || !isLocal(header)) return [];
    const systemName = isWellKnownText(header.srs)
      ? (systemOfWkt(header.srs).system ?? unnamedSystem)
      : header.srs;
    const system = saidSystem(
      systemName.length > maxSrs ? `${systemName.slice(0, maxSrs - 1)}…` : systemName,
    );
    const fix = this.#positionOf(header);
    return [
      {
        ...{ id: 'local-coordinates', values: { system }, count: this.#keys.length, keys: this.#keys },
        ...(fix && { fix }),
      },
    ];
  }

  get #only(): CaptureHead | null {
    const [firstHeader, ...otherHeaders] = this.#headers.values();
    return firstHeader && otherHeaders.length === 0 ? firstHeader : null;
  }

  /** Null if heights aren't ellipsoidal or the position can't be computed. */
  #positionOf({ srs, origin: [x, y, z] }: CaptureHead): Position | null {
    const place = /^ENU:\s?(-?[\d.]{1,20}),\s?(-?[\d.]{1,20})$/.exec(srs);
    if (place) return upon(Number(place[1]), Number(place[2]), [x, y, z]);
    const system = this.#earth?.systemByCode(codeOf(srs));
    // A plane in feet leaves the unit of heights unclear.
    if (system?.kind !== 'projected' || !/\+units=m\b/.test(system.definition ?? '')) return null;
    const lonLat = this.#earth?.toLonLat(system)?.(x, y);
    return lonLat ? position(lonLat[0], lonLat[1], z) : null;
  }
}

/**
 * Whether coordinates count from a local origin. With `ENU` the system is the place, so the origin may be 0.
 */
export const isLocal = ({ srs, origin: [x, y] }: CaptureHead): boolean =>
  srs.startsWith('ENU:') || Math.hypot(x, y) > 0;

/** Offsets a position; metres. */
function upon(
  latitude: number,
  longitude: number,
  [east, north, up]: CaptureHead['origin'],
): Position | null {
  if (!(Math.abs(latitude) < 89 && Math.abs(longitude) <= 180 && Math.hypot(east, north) <= maxOffset))
    return null;
  const bend = 1 - eccentricity * Math.sin(latitude * degree) ** 2;
  const across = (majorAxis / Math.sqrt(bend)) * Math.cos(latitude * degree);
  const meridianRadius = (majorAxis * (1 - eccentricity)) / bend ** 1.5;
  return position(longitude + east / across / degree, latitude + north / meridianRadius / degree, up);
}

/** Rounds to the millimetre. */
const position = (longitude: number, latitude: number, height: number): Position => ({
  kind: 'position',
  longitude: Number(longitude.toFixed(8)),
  latitude: Number(latitude.toFixed(8)),
  height: Number(height.toFixed(3)),
});
