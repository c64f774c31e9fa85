/** Definitions of EPSG's systems in the words of WKT 1, as `.prj` files hold them. */

/** As epsg-wkt.json holds them: taken apart, since thousands differ in a few numbers. */
interface WktTable {
  /** WKT of geographic systems. */
  readonly bases: readonly string[];
  /** WKT of projected ones, with `{name}`, `{code}`, `{base}`, and `#` in the place of each number. */
  readonly shapes: readonly string[];
  /**
   * `25832|4|0||0|9|0.9996|500000|0`: code, base, shape, name where it is not the one of epsg.json, numbers;
   * code and base of a geographic one.
   */
  readonly systems: readonly string[];
}

/**
 * WKT 1 of a system as GDAL writes it; null for one that WKT 1 can't say, and for those that are neither
 * projected nor geographic.
 *
 * @param name as the table of systems has it
 */
export async function wktOf({ code, name }: { readonly code: number; readonly name: string }) {
  // Most starts never need it: 0.5 MB.
  const { default: table } = await import('./epsg-wkt.json', { with: { type: 'json' } });
  return putTogether(table, code, name);
}

function putTogether({ bases, shapes, systems }: WktTable, code: number, name: string): string | null {
  const row = systems.find((one) => one.startsWith(`${code}|`))?.split('|');
  if (!row) return null;
  const [, base = '', shape, said, ...numbers] = row;
  const geographic = bases[Number(base)] ?? '';
  if (shape === undefined) return geographic;
  const values = numbers.values();
  return (shapes[Number(shape)] ?? '')
    .replaceAll('#', () => values.next().value ?? '')
    .replace('{name}', () => said || name)
    .replace('{code}', String(code))
    .replace('{base}', () => geographic);
}
