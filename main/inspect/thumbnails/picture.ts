/** Longest side of a thumbnail in pixels: 80 at double density. */
export const thumbnailSide = 160;

/** RGBA, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** JPEG, PNG or WebP files that only Chromium decodes, each at its place in the whole picture. */
export interface EncodedPicture {
  /** Of the whole picture; null for that of its only part. */
  readonly size: readonly [width: number, height: number] | null;
  readonly parts: readonly { readonly x: number; readonly y: number; readonly bytes: Uint8Array }[];
  /** Width divided by height: previews of cameras have black bars beyond it. */
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
  const at = (share: number) => values[Math.round(share * (values.length - 1))] ?? 0;
  return [at(0.02), at(0.98)];
}
