/** The EPSG dataset's systems, from tables that tools/epsg makes. */

/** epsg.json: rows of text, parsed on demand. */
export interface Table {
  /**
   * `25832|P|EN|12|ETRS89 / UTM zone 32N|+proj=…`: code, kind, axes, area index, name, PROJ string (3D and
   * compound: the 2D system's code). Deprecated: also the successor's code (without a PROJ string), or
   * nothing.
   */
  readonly systems: readonly string[];
  /** `6|38.76|12.01|84.33|Europe between …`: west, south, east, north in degrees, description. */
  readonly areas: readonly string[];
}

const kindsByLetter = {
  P: 'projected',
  G: 'geographic-2d',
  T: 'geographic-3d',
  C: 'geocentric',
  K: 'compound',
} as const;

export interface System {
  readonly code: number;
  readonly kind: (typeof kindsByLetter)[keyof typeof kindsByLetter];
  readonly name: string;
  /** EPSG's area of use, in English, shortened. */
  readonly area: string;
  /** Degrees. West exceeds east across the date line. */
  readonly box: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  };
  /** EPSG's axis order: `EN`, `NE`. Most files write east first. */
  readonly axes: string;
  /**
   * PROJ string with the shift to WGS 84, or null. Deprecated systems use their successor's, if any, as GDAL
   * does (`OSR_USE_NON_DEPRECATED`).
   */
  readonly definition: string | null;
  /** Only of deprecated systems; null if there isn't exactly one. */
  readonly successor?: number | null;
}

export interface Systems {
  /** Finds a current system by EPSG or ESRI name; null if there isn't exactly one. */
  readonly systemByName: (name: string) => System | null;
  /** Includes deprecated 2D systems. */
  readonly systemByCode: (code: number) => System | null;
  /** Finds current systems by code prefix, then by words of name or area; shorter names first. */
  readonly search: (text: string, limit: number) => readonly System[];
}

let loading: Promise<Systems> | null = null;

/** Parses `EPSG:25832`; NaN for anything else. */
export const codeOf = (name: string | null): number => Number(/^EPSG:(\d+)$/.exec(name ?? '')?.[1]);

/** Returns the code of a current 2D system by code or name, or null. */
export function flatCodeOf(
  name: string,
  systems: Pick<Systems, 'systemByCode' | 'systemByName'>,
): number | null {
  const system = systems.systemByCode(codeOf(name)) ?? systems.systemByName(name);
  return isFlat(system) ? system.code : null;
}

/** Whether the system can be assigned: current and 2D. */
export const isFlat = (system: System | null): system is System =>
  (system?.kind === 'projected' || system?.kind === 'geographic-2d') && system.successor === undefined;

/** Loaded on first use: 1.3 MB that most starts don't need. */
export function loadSystems(): Promise<Systems> {
  loading ??= Promise.all([
    import('./epsg.json', { with: { type: 'json' } }),
    import('./epsg-deprecated.json', { with: { type: 'json' } }),
  ]).then(([current, deprecated]) => createSystems(current.default, deprecated.default));
  return loading;
}

/** Creates the lookup from tables of this format. */
export function createSystems({ systems, areas }: Table, deprecated?: Table): Systems {
  const rows = rowsByCode(systems);
  const oldRows = rowsByCode(deprecated?.systems ?? []);
  let searchEntries: readonly SearchEntry[] | null = null;
  const systemByCode = (code: number): System | null => {
    const row = rows.get(code) ?? oldRows.get(code);
    if (row === undefined) return null;
    const [, kind = '', axes = '', area = '', name = '', definition = '', successor] = row.split('|');
    const areaTable = successor === undefined ? areas : deprecated?.areas;
    const [west, south, east, north, ...tokens] = (areaTable?.[Number(area)] ?? '').split('|');
    return {
      code,
      kind: kindsByLetter[kind as keyof typeof kindsByLetter],
      name,
      area: shortArea(tokens.join('|')),
      box: { west: Number(west), south: Number(south), east: Number(east), north: Number(north) },
      axes,
      definition: successor
        ? definitionByCode(Number(successor))
        : /^\d+$/.test(definition)
          ? definitionByCode(Number(definition))
          : definition || null,
      ...(successor !== undefined && { successor: Number(successor) || null }),
    };
  };
  const definitionByCode = (code: number) => systemByCode(code)?.definition ?? null;
  let names: ReadonlyMap<string, number | null> | null = null;
  return {
    systemByCode,
    systemByName: (name) => {
      names ??= codesByName(rows);
      const code = names.get(normalizedName(name));
      return code ? systemByCode(code) : null;
    },
    search: (text, limit) => {
      searchEntries ??= [...rows].map(([code, row]) => {
        const [, , , area = '', name = ''] = row.split('|');
        return { code, name, text: `${code} ${name} ${areas[Number(area)] ?? ''}`.toLowerCase() };
      });
      return searchCodes(searchEntries, text, limit).flatMap((code) => systemByCode(code) ?? []);
    },
  };
}

const rowsByCode = (systems: readonly string[]): ReadonlyMap<number, string> =>
  new Map(systems.map((row) => [Number.parseInt(row, 10), row]));

/** 2D systems only; null for names that several share. */
function codesByName(rows: ReadonlyMap<number, string>): ReadonlyMap<string, number | null> {
  const codes = new Map<string, number | null>();
  for (const [code, row] of rows) {
    const [, kind = '', , , name = ''] = row.split('|');
    const normalized = normalizedName(name);
    if (kind === 'P' || kind === 'G') codes.set(normalized, codes.has(normalized) ? null : code);
  }
  return codes;
}

/** Equates `ETRS_1989_UTM_Zone_32N` and `ETRS89 / UTM zone 32N`. */
const normalizedName = (name: string): string =>
  name
    .slice(0, 100)
    .toLowerCase()
    .replace(/^gcs_/, '')
    .replace(/(?<=[a-z]_?)(?:19|20)(?=\d\d(?:\D|$))/g, '')
    .replace(/[^a-z0-9]/g, '');

interface SearchEntry {
  readonly code: number;
  readonly name: string;
  readonly text: string;
}

function searchCodes(searchEntries: readonly SearchEntry[], typed: string, limit: number): readonly number[] {
  const tokens = typed
    .toLowerCase()
    .replace(/\bepsg\s*:?\s*/, '')
    .split(/\s+/)
    .filter((token) => token !== '');
  const [firstWord = ''] = tokens;
  if (firstWord === '') return [];
  const matchesCode = (candidate: SearchEntry) =>
    tokens.length === 1 && String(candidate.code).startsWith(firstWord);
  const matchesName = ({ name }: SearchEntry) => tokens.every((token) => name.toLowerCase().includes(token));
  const rank = (candidate: SearchEntry) => (matchesCode(candidate) ? 0 : matchesName(candidate) ? 1 : 2);
  return searchEntries
    .filter(({ text }) => tokens.every((token) => text.includes(token)))
    .map((candidate) => ({ code: candidate.code, rank: rank(candidate), length: candidate.name.length }))
    .sort((a, b) => a.rank - b.rank || a.length - b.length || a.code - b.code)
    .slice(0, limit)
    .map(({ code }) => code);
}

const maxArea = 60;

/** EPSG lists every country; the words before the list are enough. */
function shortArea(tokens: string): string {
  const normalized = tokens.replaceAll(';', ',').replace(/ - onshore(?: and offshore)?$/, '');
  if (normalized.length <= maxArea) return normalized;
  const start =
    /^.{8,}?(?=[:.] )/.exec(normalized)?.[0].replace(/ - onshore(?: and offshore)?$/, '') ?? normalized;
  if (start.length <= maxArea) return start;
  const wholeWords = start.slice(0, start.lastIndexOf(' ', maxArea)).replace(/ ?[,-]$/, '');
  return `${wholeWords} …`;
}
