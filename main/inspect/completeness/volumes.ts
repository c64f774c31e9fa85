/** Naming schemes of split archives: `a.zip.001 …`, `a.z01 … a.zip`, `a.part1.rar …`, `a.rar a.r00 …`. */

type SeriesKind = 'split' | 'parts' | 'zip' | 'rar';

export interface VolumeSeries {
  readonly kind: SeriesKind;
  /** The file that opens the archive, else the first one present. */
  readonly primary: string;
  /** All present volumes in order, including the primary. */
  readonly volumes: readonly string[];
  /** Certainly missing names. Only the archive's end shows whether more follow. */
  readonly missing: readonly string[];
  readonly highest: number;
  readonly nameOf: (number: number) => string;
}

interface Volume {
  readonly kind: SeriesKind;
  readonly name: string;
  /** Identifies the series, in lower case. */
  readonly series: string;
  readonly number: number;
  readonly nameOf: (number: number) => string;
}

const maxNamed = 20;

type Shape = (name: string) => Volume | null;

const padded = (number: number, width: number): string => String(number).padStart(width, '0');

/** 7-Zip and generic file splitters: `a.7z.001`. */
const split: Shape = (name) => {
  const match = /^(.+\.(?:zip|7z|rar|tar|tgz|gz|bz2|xz|kmz))\.(\d{3,4})$/i.exec(name);
  if (!match) return null;
  const [, whole = '', digits = ''] = match;
  return {
    kind: 'split',
    name,
    series: `split ${whole.toLowerCase()}`,
    number: Number(digits),
    nameOf: (number) => `${whole}.${padded(number, digits.length)}`,
  };
};

/** RAR 3 and later: `a.part1.rar`, `a.part01.rar`. */
const parts: Shape = (name) => {
  const match = /^(.+)\.part(\d{1,5})\.rar$/i.exec(name);
  if (!match) return null;
  const [, stem = '', digits = ''] = match;
  return {
    kind: 'parts',
    name,
    series: `parts ${digits.length} ${stem.toLowerCase()}`,
    number: Number(digits),
    nameOf: (number) => `${stem}.part${padded(number, digits.length)}.rar`,
  };
};

/** Zip (PKWARE APPNOTE 8.3): `a.z01 a.z02 … a.zip`; the last one opens it. */
const zip: Shape = (name) => {
  const match = /^(.+)\.z(\d{2,3})$/i.exec(name);
  if (!match) return null;
  const [, stem = '', digits = ''] = match;
  const z = name.at(-digits.length - 1) ?? 'z';
  return {
    kind: 'zip',
    name,
    series: `zip ${stem.toLowerCase()}`,
    number: Number(digits),
    nameOf: (number) =>
      `${stem}.${number === 0 ? (z === 'Z' ? 'ZIP' : 'zip') : z + padded(number, digits.length)}`,
  };
};

/** RAR before 3: `a.rar a.r00 … a.r99 a.s00`. */
const oldRar: Shape = (name) => {
  const match = /^(.+)\.([r-z])(\d{2})$/i.exec(name);
  if (!match) return null;
  const [, stem = '', letter = '', digits = ''] = match;
  const firstLetter = (letter.toLowerCase() === letter ? 'r' : 'R').charCodeAt(0);
  const number = 1 + (letter.charCodeAt(0) - firstLetter) * 100 + Number(digits);
  return {
    kind: 'rar',
    name,
    series: `rar ${stem.toLowerCase()}`,
    number,
    nameOf: (volumeNumber) => {
      if (volumeNumber === 0) return `${stem}.${firstLetter === 82 ? 'RAR' : 'rar'}`;
      const letterOf = String.fromCharCode(firstLetter + Math.floor((volumeNumber - 1) / 100));
      return `${stem}.${letterOf}${padded((volumeNumber - 1) % 100, 2)}`;
    },
  };
};

/** `zip` precedes `oldRar`, whose letters reach z. */
const shapes: readonly Shape[] = [split, parts, zip, oldRar];

/** Finds the series among the names of one folder. `a.zip` alone is none. */
export function volumeSeriesIn(names: readonly string[]): readonly VolumeSeries[] {
  const seriesByName = new Map<string, Map<number, Volume>>();
  for (const name of names) {
    const volume = volumeOf(name);
    if (!volume) continue;
    const series = seriesByName.get(volume.series) ?? new Map<number, Volume>();
    if (!series.has(volume.number)) series.set(volume.number, volume);
    seriesByName.set(volume.series, series);
  }
  if (seriesByName.size === 0) return [];
  const byLow = new Map(names.map((name) => [name.toLowerCase(), name]));
  return [...seriesByName.values()].map((volumes) => seriesOf(volumes, byLow));
}

function seriesOf(volumes: ReadonlyMap<number, Volume>, byLow: ReadonlyMap<string, string>): VolumeSeries {
  const sorted = [...volumes.values()].sort((a, b) => a.number - b.number);
  const anyVolume = sorted[0] as Volume;
  // Zip and old RAR have an unnumbered volume; others count from 1, some programs from 0.
  const hasHead = anyVolume.kind === 'zip' || anyVolume.kind === 'rar';
  const head = hasHead ? byLow.get(anyVolume.nameOf(0).toLowerCase()) : undefined;
  const missing: string[] = hasHead && head === undefined ? [anyVolume.nameOf(0)] : [];
  const highest = sorted.at(-1)?.number ?? 0;
  for (let number = 1; number < highest && missing.length < maxNamed; number += 1) {
    if (!volumes.has(number)) missing.push(anyVolume.nameOf(number));
  }
  const volumeNames = sorted.map(({ name }) => name);
  const allNames = head === undefined ? volumeNames : [head, ...volumeNames];
  const { kind, nameOf } = anyVolume;
  return { kind, primary: allNames[0] ?? anyVolume.name, volumes: allNames, missing, highest, nameOf };
}

const volumeOf = (name: string): Volume | null => {
  for (const shape of shapes) {
    const volume = shape(name);
    if (volume) return volume;
  }
  return null;
};
