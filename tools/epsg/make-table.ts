import { metresBetween } from '../../main/inspect/crs/distance.ts';
import { toLonLat } from '../../main/inspect/crs/lon-lat.ts';
import type { Table } from '../../main/inspect/crs/systems.ts';
import type { LonLat } from '../../shared/source.ts';

/** Output of read-proj.py. */
export interface Raw {
  readonly proj: string;
  readonly epsg: string;
  readonly systems: readonly RawSystem[];
}

/** Coordinates in the system (east first), and PROJ's position for them. */
type Point = readonly [x: number, y: number, lon: number, lat: number];

interface RawSystem {
  readonly code: number;
  readonly kind: 'projected' | 'geographic 2D' | 'geographic 3D' | 'geocentric' | 'compound';
  readonly name: string;
  readonly area: string;
  readonly box: readonly number[];
  /** `EN` or `NE`. */
  readonly axes: string;
  readonly definition?: string;
  /** 3D and compound systems: code of the horizontal system. */
  readonly horizontal?: number;
  /** Deprecated systems: code of the successor; 0 if there is none, or several. */
  readonly successor?: number;
  /** The first three become the oracle; null if PROJ has no result. */
  readonly points?: readonly (Point | null)[];
}

/** A position further off is wrong, so the table omits the definition. */
const farMetres = 1000;
const kept = 3;
const letters = {
  projected: 'P',
  'geographic 2D': 'G',
  'geographic 3D': 'T',
  geocentric: 'C',
  compound: 'K',
} as const;

/** Makes the shipped table and its test's oracle, and measures the accuracy. */
export function makeTable({ proj, epsg, systems }: Raw) {
  const areas = new Map<string, number>();
  const areaOf = ({ box, area }: RawSystem) => {
    const row = [...box, area.replace(/\.$/, '')].join('|');
    if (!areas.has(row)) areas.set(row, areas.size);
    return areas.get(row) ?? 0;
  };
  const judged = systems.map((system) => ({ system, ...judge(system) }));
  const table: Table & Pick<Raw, 'proj' | 'epsg'> = {
    proj,
    epsg,
    systems: judged.map(({ system, right }) => {
      const own = right && !system.successor ? system.definition : undefined;
      const definition = system.horizontal ?? own ?? '';
      const { code, kind, axes, name } = system;
      const after = system.successor === undefined ? [] : [system.successor || ''];
      return [code, letters[kind], axes, areaOf(system), name, definition, ...after].join('|');
    }),
    areas: [...areas.keys()],
  };
  const oracle = judged.flatMap(({ system: { code, points } }) =>
    points ? [[code, ...points.slice(0, kept).map((point) => point?.join(' ') ?? '')].join('|')] : [],
  );
  return { table, oracle, figures: count(judged) };
}

interface Judged {
  readonly system: RawSystem;
  /** Metres between PROJ's position and ours at each point with a PROJ result; null for *place unknown*. */
  readonly off: readonly (number | null)[];
  readonly right: boolean;
}

function judge({ definition, points = [] }: RawSystem): Omit<Judged, 'system'> {
  const place = definition === undefined ? null : toLonLat({ definition });
  const off = points.map((point) => {
    const found = point && place ? place(point[0], point[1]) : null;
    return found && point ? metresBetween(found, [point[2], point[3]] as LonLat) : null;
  });
  return { off, right: place !== null && off.every((one) => one === null || one <= farMetres) };
}

function count(judged: readonly Judged[]) {
  const flat = judged.filter(({ system }) => system.points !== undefined);
  const off = flat.flatMap(({ off, right, system }) =>
    off.slice(0, kept).flatMap((one, index) => (system.points?.[index] ? [right ? one : null] : [])),
  );
  const share = (most: number) => off.filter((one) => one !== null && one <= most).length / off.length;
  return {
    systems: flat.length,
    withPlace: flat.filter(({ right }) => right).length,
    points: off.length,
    within1m: share(1),
    within10m: share(10),
    within1km: share(farMetres),
    placeUnknown: flat.filter(({ right }) => !right).map(({ system: { code, name } }) => `${code} ${name}`),
  };
}
