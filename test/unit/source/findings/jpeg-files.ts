import sharp, { type JpegOptions, type TiffOptions } from 'sharp';

interface Picture {
  readonly side: number;
  /** Each band of a pixel; by its place. */
  readonly at: (x: number, y: number) => readonly number[] | number;
  readonly bands?: 1 | 3;
}

function sharpOf({ side, at, bands = 3 }: Picture) {
  const pixels = Buffer.alloc(side * side * bands);
  for (let place = 0; place < side * side; place++) {
    const value = at(place % side, Math.floor(place / side));
    for (let band = 0; band < bands; band++)
      pixels[place * bands + band] = (typeof value === 'number' ? value : value[band]) ?? 0;
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: bands } });
}

/** As libjpeg writes it. */
export const jpegOf = (picture: Picture, options: JpegOptions = {}): Promise<Buffer> =>
  sharpOf(picture).jpeg(options).toBuffer();

/** A TIFF packed as JPEG, as libtiff writes it. */
export const tiffOfJpeg = (picture: Picture, options: TiffOptions = {}): Promise<Buffer> =>
  sharpOf(picture)
    .tiff({ compression: 'jpeg', quality: 80, ...options })
    .toBuffer();
