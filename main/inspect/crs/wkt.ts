/** EPSG's systems as WKT 1, the format of `.prj` files. */

/** epsg-wkt.json: templates, because thousands of systems differ only in a few numbers. */
interface WktTable {
  /** Geographic systems. */
  readonly bases: readonly string[];
  /** Projected systems, with `{name}`, `{code}`, `{base}`, and `#` for each number. */
  readonly shapes: readonly string[];
  /**
   * `25832|4|0||0|9|0.9996|500000|0`: code, base, shape, name if it differs from epsg.json, numbers.
   * Geographic: code and base.
   */
  readonly systems: readonly string[];
}

/**
 * Returns WKT 1 as GDAL writes it; null if not projected or geographic, or inexpressible.
 *
 * @param name as in epsg.json
 */
export async function wktOf({ code, name }: { readonly code: number; readonly name: string }) {
  // Most starts never need these 0.5 MB.
  const { default: table } = await import('./epsg-wkt.json', { with: { type: 'json' } });
  return fillTemplate(table, code, name);
}

function fillTemplate({ bases, shapes, systems }: WktTable, code: number, name: string): string | null {
  const row = systems.find((text) => text.startsWith(`${code}|`))?.split('|');
  if (!row) return null;
  const [, baseIndex = '', shapeIndex, ownName, ...numbers] = row;
  const geographic = bases[Number(baseIndex)] ?? '';
  if (shapeIndex === undefined) return geographic;
  const values = numbers.values();
  return (shapes[Number(shapeIndex)] ?? '')
    .replaceAll('#', () => values.next().value ?? '')
    .replace('{name}', () => ownName || name)
    .replace('{code}', String(code))
    .replace('{base}', () => geographic);
}
