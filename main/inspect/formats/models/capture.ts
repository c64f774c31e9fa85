/** What a photogrammetry program says of where its models lie. */
export interface CaptureHead {
  readonly kind: 'capture';
  /** `EPSG:32633`, `EPSG:25832+5783`, `ENU:48.85,2.35`, WKT; as it stands there. */
  readonly srs: string;
  /** Of the models, in that system. */
  readonly origin: readonly [x: number, y: number, z: number];
}

const longestSrs = 200;

/**
 * `metadata.xml` of ContextCapture and iTwin Capture: `<ModelMetadata>` with `SRS` and `SRSOrigin`. Null
 * where it has no such two.
 *
 * @param text without comments
 */
export function captureIn(text: string): CaptureHead | null {
  const [srs, origin] = ['SRS', 'SRSOrigin'].map((name) => {
    const at = text.indexOf(`<${name}>`);
    return at < 0 ? '' : (text.slice(at + name.length + 2).split('<', 1)[0] ?? '').trim();
  });
  const [x, y, z, ...more] = (origin ?? '')
    .split(/[,;]/)
    .map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
  if (!srs || srs.length > longestSrs || more.length > 0) return null;
  if (x === undefined || y === undefined || z === undefined) return null;
  return [x, y, z].every(Number.isFinite) ? { kind: 'capture', srs, origin: [x, y, z] } : null;
}
