import { isPlainText } from './texts.ts';

type ContentTest = (leadingText: string) => boolean;
const startsWithAny =
  (...signatures: readonly string[]): ContentTest =>
  (leadingText) =>
    signatures.some((signature) => leadingText.startsWith(signature));

/** Formats recognized by their first bytes. */
const signatures = {
  png: startsWithAny('\x89PNG\r\n\x1a\n'),
  jpeg: startsWithAny('\xff\xd8\xff'),
  gif: startsWithAny('GIF87a', 'GIF89a'),
  webp: (leadingText) => leadingText.startsWith('RIFF') && leadingText.startsWith('WEBP', 8),
  tiff: startsWithAny('II*\0', 'MM\0*', 'II+\0', 'MM\0+'),
  heic: (leadingText) => /^ftyp(?:hei[cmsx]|hev[cx]|mif1|msf1|avi[fs])/.test(leadingText.slice(4, 12)),
  film: (leadingText) => leadingText.startsWith('ftyp', 4),
  pdf: startsWithAny('%PDF-'),
  zip: startsWithAny('PK\x03\x04'),
  las: startsWithAny('LASF'),
  glb: startsWithAny('glTF'),
  xml: (leadingText) => /^(?:ï»¿)?\s*<[?!A-Za-z]/.test(leadingText),
} as const satisfies Readonly<Record<string, ContentTest>>;

type Mark = keyof typeof signatures;
/** A misnamed file's actual format; a key under `findings.content`. */
export type Content = Mark | 'text' | 'unknown';

/** Programs detect these by content, whatever the extension. */
const pictures = ['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.webp'];
const extensionsOfContent: Readonly<Partial<Record<Mark, readonly string[]>>> = {
  png: pictures,
  jpeg: pictures,
  gif: pictures,
  webp: pictures,
  tiff: ['.tif', '.tiff', '.gtiff', '.btf', '.tf8', '.ovr', '.msk'],
  zip: ['.zip', '.kmz', '.3tz', '.usdz', '.slpk', '.ifczip', '.sog'],
  las: ['.las', '.laz'],
  glb: ['.glb', '.b3dm', '.i3dm', '.pnts', '.cmpt'],
  xml: ['.gml', '.kml', '.dae', '.xml', '.vrt', '.citygml', '.ifc', '.ifcxml'],
};

/** Detects the format. `start`: at most 512 bytes. */
export function contentOf(start: Buffer): Content {
  const leadingText = start.toString('latin1');
  const names = Object.keys(signatures) as Mark[];
  return names.find((name) => signatures[name](leadingText)) ?? (isPlainText(start) ? 'text' : 'unknown');
}

/** Whether this extension suits the detected format. */
export function fitsExtension(content: Content, extension: string): boolean {
  return (
    content === 'text' ||
    content === 'unknown' ||
    (extensionsOfContent[content]?.includes(extension) ?? false)
  );
}
