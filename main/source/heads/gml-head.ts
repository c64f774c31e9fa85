import { systemOfSrsName } from './coordinate-system.ts';
import type { FilePieces } from './file-pieces.ts';

/** What the head of an XML file says, as far as it is GML. */
export interface GmlHead {
  readonly kind: 'gml';
  readonly isCityGml: boolean;
  /** `2.0`; null where it is no CityGML, or names no version. */
  readonly version: string | null;
  /** `EPSG:25832`, or the last word of what is written; null where the head names none. */
  readonly system: string | null;
}

const longestHead = 64 * 1024;

/** Null for what is no GML. */
export function readGmlHead(file: FilePieces): GmlHead | null {
  const text = decode(file.takeUpTo(0, longestHead)).replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const root = /<(?![?!])([\w.-]+:)?([\w.-]+)([^>]*)/.exec(text);
  if (!root) return null;
  const [, , name = '', attributes = ''] = root;
  const version = /["']http:\/\/www\.opengis\.net\/citygml\/(\d+\.\d+)["']/.exec(attributes)?.[1];
  const isGml = version !== undefined || name === 'CityModel' || /opengis\.net\/gml/.test(attributes);
  if (!isGml) return null;
  const srsName = /\bsrsName\s*=\s*(?:"([^"]+)"|'([^']+)')/.exec(text);
  return {
    kind: 'gml',
    isCityGml: version !== undefined || name === 'CityModel',
    version: version ?? null,
    system: srsName ? systemOfSrsName(srsName[1] ?? srsName[2] ?? '') : null,
  };
}

function decode(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe') return bytes.toString('utf16le');
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  return bytes.toString('utf8');
}
