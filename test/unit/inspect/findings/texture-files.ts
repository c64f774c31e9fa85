import { tiffFile } from '../formats/sample-heads.ts';

/** Images of other formats whose headers give this size. */
export function texturesOf(width: number, height: number) {
  const texturesWith = (
    name: string,
    magicBytes: string,
    length: number,
    ...values: readonly (readonly [at: number, value: number, size: number])[]
  ) => {
    const bytes = Buffer.alloc(length);
    bytes.write(magicBytes, 'latin1');
    for (const [place, value, size] of values) bytes.writeUIntLE(value, place, size);
    return { name, bytes };
  };
  const webp = (name: string, kind: string, ...values: Parameters<typeof texturesWith>[3][]) =>
    texturesWith(name, `RIFF\x28\0\0\0WEBP${kind}`, 48, ...values);
  return [
    texturesWith('a.dds', 'DDS ', 128, [12, height, 4], [16, width, 4]),
    texturesWith('a.ktx2', '\xabKTX 20\xbb\r\n\x1a\n', 80, [20, width, 4], [24, height, 4]),
    texturesWith('a.gif', 'GIF89a', 20, [6, width, 2], [8, height, 2], [19, 0x3b, 1]),
    texturesWith('a.bmp', 'BM', 60, [14, 40, 4], [18, width, 4], [22, height, 4]),
    webp('x.webp', 'VP8X', [24, width - 1, 3], [27, height - 1, 3]),
    // The other two WebP variants are limited to 16,383 and 16,384 pixels.
    ...(width > 16_384 ? [] : [webp('l.webp', 'VP8L', [21, width - 1 + (height - 1) * 16_384, 4])]),
    { name: 'a.tif', bytes: tiffFile({ bands: 3, size: [width, height] }) },
  ];
}
