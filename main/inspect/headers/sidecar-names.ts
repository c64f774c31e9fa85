import { unnamedSystem } from '../../../shared/source.ts';
import {
  type Corners,
  cornersOfTransform,
  type NamedSystem,
  systemOfWkt,
} from '../formats/systems/coordinate-system.ts';
import { extensionOf } from './choose.ts';

interface SystemSidecar {
  readonly name: string;
  readonly kind: 'prj' | 'pam' | 'tab' | 'world' | 'hdr';
}

/**
 * Sidecars from which GDAL reads a raster's system; a test compares every combination with GDAL. World files
 * and headers only hold the position.
 */
const kindsByExtension: ReadonlyMap<string, readonly SystemSidecar['kind'][]> = new Map<
  string,
  readonly SystemSidecar['kind'][]
>([
  ...['tif', 'tiff'].map((extension) => [extension, ['pam', 'tab']] as const),
  ...['jpg', 'jpeg', 'png'].map((extension) => [extension, ['pam']] as const),
  ['asc', ['prj']],
  ...['flt', 'bil', 'bip', 'bsq'].map((extension) => [extension, ['prj', 'pam', 'hdr']] as const),
]);

/** Extensions of world files, the likelier first. */
const worldExtensions: ReadonlyMap<string, readonly string[]> = new Map(
  ['tif', 'tiff', 'jpg', 'jpeg', 'png'].map((extension) => [
    extension,
    [`${extension[0]}${extension.at(-1)}w`, `${extension}w`, 'wld'],
  ]),
);

/** Returns sidecar names: `a/dgm.prj` for `a/dgm.asc`. */
export function sidecarsWithSystem(key: string): readonly SystemSidecar[] {
  const stem = key.replace(/(?<=[^/])\.[^./]+$/, '');
  const extension = extensionOf(key);
  return [
    ...(kindsByExtension.get(extension) ?? []).map((kind) => ({
      name: kind === 'pam' ? `${key}.aux.xml` : `${stem}.${kind}`,
      kind,
    })),
    ...(worldExtensions.get(extension) ?? []).map((world) => ({
      name: `${stem}.${world}`,
      kind: 'world' as const,
    })),
  ];
}

/** Enough for six numbers with spaces, characters. */
const maxNumbersLength = 2_000;

export function cornersInSidecar(
  kind: SystemSidecar['kind'],
  text: string,
  [columns, rows]: readonly [columns: number, rows: number],
): Corners | null {
  const transformText = kind === 'pam' ? textOfElement(text, 'GeoTransform') : kind === 'world' ? text : '';
  const numbers = transformText
    .slice(0, maxNumbersLength)
    .trim()
    .split(/[\s,]+/, 7)
    .map((numberText) => (/^[-+.\d]/.test(numberText) ? Number(numberText) : Number.NaN));
  if (numbers.length < 6 || !numbers.slice(0, 6).every(Number.isFinite)) return null;
  const [number1 = 0, number2 = 0, number3 = 0, number4 = 0, number5 = 0, number6 = 0] = numbers;
  // A world file gives the centre of the first pixel, GDAL its outer corner.
  const [pixelWidth, rowShear, westEdge, columnShear, pixelHeight, northEdge] =
    kind === 'pam'
      ? [number2, number3, number1, number5, number6, number4]
      : [
          number1,
          number3,
          number5 - (number1 + number3) / 2,
          number2,
          number4,
          number6 - (number2 + number4) / 2,
        ];
  if (pixelWidth * pixelHeight === rowShear * columnShear) return null;
  return cornersOfTransform(
    [pixelWidth, rowShear, westEdge, columnShear, pixelHeight, northEdge],
    columns,
    rows,
  );
}

export const unnamed: NamedSystem = { system: unnamedSystem, vertical: null };
const withKnownName = (namedSystem: NamedSystem): NamedSystem | null =>
  namedSystem.system === null ? null : namedSystem;

const hintExtensions = new Set(['tif', 'tiff', 'jpg', 'jpeg', 'png', 'las', 'laz']);

/** Returns the sidecar that the service ignores: `a.prj` next to `a.tif`. Null for formats that read it. */
export function hintKeyOf(key: string): string | null {
  return hintExtensions.has(extensionOf(key)) ? `${key.slice(0, key.lastIndexOf('.') + 1)}prj` : null;
}

export function systemInSidecar(kind: SystemSidecar['kind'], text: string): NamedSystem | null {
  if (kind === 'world' || kind === 'hdr') return null;
  if (kind === 'tab') return /^[ \t]{0,40}CoordSys\s/im.test(text) ? unnamed : null;
  // Old ESRI projection files are lines of words. WKT 2 isn't understood there.
  if (kind === 'prj')
    return /^\s*[A-Z]{3,20}CRS\s{0,9}\[/i.test(text)
      ? null
      : (withKnownName(systemOfWkt(text)) ?? (/^\s*Projection\s+\w/i.test(text) ? unnamed : null));
  const transformText = textOfElement(text, 'SRS').replaceAll('&quot;', '"').trim();
  if (transformText === '' || /^(?:LOCAL_CS|ENGCRS|ENGINEERINGCRS)\b/.test(transformText)) return null;
  const epsgCode = /^EPSG:\d{4,6}$/.exec(transformText)?.[0];
  if (epsgCode !== undefined) return { system: epsgCode, vertical: null };
  // Systems of the International Astronomical Union, except for Earth.
  if (/^IAU(?:_\d{4})?:(?!399)\d+$/.test(transformText))
    return { system: transformText, vertical: null, nature: 'elsewhere' };
  return withKnownName(systemOfWkt(transformText)) ?? unnamed;
}

function textOfElement(text: string, name: string): string {
  const tagStart = text.indexOf(`<${name}`);
  const textStart = tagStart < 0 ? -1 : text.indexOf('>', tagStart);
  return textStart < 0
    ? ''
    : text.slice(textStart + 1, Math.max(textStart + 1, text.indexOf('<', textStart)));
}
