/** A photogrammetry program's placement of its models. */
export interface CaptureHead {
  readonly kind: 'capture';
  /** `EPSG:32633`, `EPSG:25832+5783`, `ENU:48.85,2.35`, or WKT. */
  readonly srs: string;
  readonly origin: readonly [x: number, y: number, z: number];
}

const maxSrsLength = 200;

/**
 * Reads `metadata.xml` of ContextCapture and iTwin Capture: `SRS` and `SRSOrigin` in `<ModelMetadata>`, or
 * null. `text`: without comments.
 */
export function captureIn(text: string): CaptureHead | null {
  const [srs, origin] = ['SRS', 'SRSOrigin'].map((name) => {
    const tagOffset = text.indexOf(`<${name}>`);
    return tagOffset < 0 ? '' : (text.slice(tagOffset + name.length + 2).split('<', 1)[0] ?? '').trim();
  });
  const [x, y, z, ...extraWords] = (origin ?? '')
    .split(/[,;]/)
    .map((numberText) => (numberText.trim() === '' ? Number.NaN : Number(numberText)));
  if (!srs || srs.length > maxSrsLength || extraWords.length > 0) return null;
  if (x === undefined || y === undefined || z === undefined) return null;
  return [x, y, z].every(Number.isFinite) ? { kind: 'capture', srs, origin: [x, y, z] } : null;
}
