/** Longest side of a thumbnail in pixels: 80 at double density. */
export const thumbnailSide = 160;

/** RGBA, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** JPEG, PNG or WebP files that only Chromium decodes, each at its place in a larger picture. */
export interface EncodedPicture {
  /** Size in pixels; null: the size of the only part. */
  readonly size: readonly [width: number, height: number] | null;
  readonly parts: readonly { readonly x: number; readonly y: number; readonly bytes: Uint8Array }[];
  /** Width divided by height. Previews of cameras have black bars beyond it. */
  readonly aspect?: number;
}

/** Limits of one thumbnail: time in ms, bytes read, and pixels that a file declares. */
export const limits = { ms: 2_000, bytes: 32 * 1024 * 1024, pixels: 64_000_000 };

/** Whether a picture of this size is decoded. */
export const isDrawable = (width: number, height: number): boolean =>
  width > 0 && height > 0 && width * height <= limits.pixels;

/** Scales a size down, so that its longest side has at most this many pixels. */
export function fitInto(
  width: number,
  height: number,
  longestSide: number,
): readonly [width: number, height: number] {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** Values at the edges of the middle 96 %, so that outliers don't hide the rest. Sorts the values. */
export function usualRange(values: Float64Array): readonly [low: number, high: number] {
  values.sort();
  const valueAt = (share: number) => values[Math.round(share * (values.length - 1))] ?? 0;
  return [valueAt(0.02), valueAt(0.98)];
}

/** Null unless it is a thumbnail's number of pixels: a taken-over process could answer anything. */
export function pixelsFrom(answer: unknown): Pixels | null {
  const { width = 0, height = 0, rgba } = (answer ?? {}) as Partial<Pixels>;
  const isSide = (length: unknown) =>
    Number.isInteger(length) && Number(length) > 0 && Number(length) <= thumbnailSide;
  if (!isSide(width) || !isSide(height) || !ArrayBuffer.isView(rgba)) return null;
  const bytes = new Uint8Array(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  return bytes.length === width * height * 4 ? { width, height, rgba: bytes } : null;
}
