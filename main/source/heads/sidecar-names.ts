import { systemOfWkt, unnamedSystem } from '../formats/coordinate-system.ts';
import { extensionOf } from './choose.ts';

/** A file that may name the coordinate system of the one beside it. */
interface SystemSidecar {
  readonly name: string;
  readonly kind: 'prj' | 'pam' | 'tab';
}

/**
 * What GDAL reads a raster's coordinate system from, where it lies beside it (`a.prj`, `a.tif.aux.xml`,
 * `a.tab`); from anything else it reads none. The test of this holds each format with each sidecar against
 * GDAL itself.
 */
const kindsOf: ReadonlyMap<string, readonly SystemSidecar['kind'][]> = new Map<
  string,
  readonly SystemSidecar['kind'][]
>([
  ...['tif', 'tiff'].map((ending) => [ending, ['pam', 'tab']] as const),
  ...['jpg', 'jpeg', 'png'].map((ending) => [ending, ['pam']] as const),
  ['asc', ['prj']],
  ...['flt', 'bil', 'bip', 'bsq'].map((ending) => [ending, ['prj', 'pam']] as const),
]);

/** Where the coordinate system of `a/dgm.asc` may stand besides: `a/dgm.prj`. */
export function sidecarsWithSystem(key: string): readonly SystemSidecar[] {
  const stem = key.replace(/(?<=[^/])\.[^./]+$/, '');
  return (kindsOf.get(extensionOf(key)) ?? []).map((kind) => ({
    name: kind === 'pam' ? `${key}.aux.xml` : `${stem}.${kind}`,
    kind,
  }));
}

/** The system that a sidecar names, by its first bytes; null where it names none. */
export function systemInSidecar(kind: SystemSidecar['kind'], text: string): string | null {
  if (kind === 'tab') return /^[ \t]{0,40}CoordSys\s/im.test(text) ? unnamedSystem : null;
  // ESRI's projection files of old are lines of words.
  if (kind === 'prj')
    return systemOfWkt(text).system ?? (/^\s*Projection\s+\w/i.test(text) ? unnamedSystem : null);
  const words = textOfElement(text, 'SRS').replaceAll('&quot;', '"').trim();
  if (words === '' || /^(?:LOCAL_CS|ENGCRS|ENGINEERINGCRS)\b/.test(words)) return null;
  return /^EPSG:\d{4,6}$/.exec(words)?.[0] ?? systemOfWkt(words).system ?? unnamedSystem;
}

function textOfElement(text: string, name: string): string {
  const open = text.indexOf(`<${name}`);
  const begin = open < 0 ? -1 : text.indexOf('>', open);
  return begin < 0 ? '' : text.slice(begin + 1, Math.max(begin + 1, text.indexOf('<', begin)));
}
