import {
  type Corners,
  cornersOfBox,
  type NamedSystem,
  noSystem,
  systemOfSrsName,
} from './coordinate-system.ts';
import type { FileBytes } from './file-bytes.ts';
import { type Opened, somethingElse, type Verdict } from './format.ts';
import { trimmed } from './texts.ts';

/** What the head of an XML file says, as far as it is GML. */
export interface GmlHead extends NamedSystem {
  readonly kind: 'gml';
  readonly isCityGml: boolean;
  /** `2.0`; null where it is no CityGML, or names no version. */
  readonly version: string | null;
  /** Of its envelope, as they stand there: either axis may come first. */
  readonly corners?: Corners | null;
}

interface Root {
  readonly name: string;
  readonly attributes: string;
  readonly isAlone: boolean;
}

/** What stands before a root element, and behind one, at most. */
const reach = 64 * 1024;

/** Byte order marks. */
const marks = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff'];

/** XML; GML 2 and 3, CityGML. Other text than XML is not judged. */
export async function readMarkup(file: FileBytes): Promise<Opened<GmlHead>> {
  const start = await file.first(reach);
  const encoding = encodingOf(start);
  const text = decode(start, encoding);
  const isAll = file.size <= reach;
  const isHalfAMark = marks.some(
    (mark) => mark.length > start.length && mark.startsWith(start.toString('latin1')),
  );
  if (isHalfAMark || text.trim() === '') return { head: null, end: () => (isAll ? 'noEnd' : null) };
  if (!/^\s*<($|[!?\p{L}_:])/u.test(text)) return somethingElse;
  const root = findRoot(text);
  if (root === null) return { head: null, end: () => (isAll ? 'noEnd' : null) };
  return { head: headOf(root, text), end: () => (root.isAlone ? null : judge(file, root, encoding)) };
}

function headOf({ name, attributes }: Root, text: string): GmlHead | null {
  const version = /["']http:\/\/www\.opengis\.net\/citygml\/(\d+\.\d+)["']/.exec(attributes)?.[1];
  const isCityGml = version !== undefined || /^(?:.*:)?CityModel$/.test(name);
  if (!isCityGml && !/opengis\.net\/gml/.test(attributes)) return null;
  const withoutComments = text.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const srsName = /\bsrsName\s*=\s*(?:"([^"]+)"|'([^']+)')/.exec(withoutComments);
  const corners = envelopeIn(withoutComments);
  return {
    kind: 'gml',
    ...(corners && { corners }),
    isCityGml,
    version: version ?? null,
    ...(srsName ? systemOfSrsName(srsName[1] ?? srsName[2] ?? '') : noSystem),
  };
}

/** GML 3: of the first envelope, two places of two or three numbers. */
function envelopeIn(text: string): Corners | null {
  const [lower, upper] = ['lowerCorner', 'upperCorner'].map((name) => {
    const at = text.indexOf(`${name}>`);
    const words = at < 0 ? '' : text.slice(at + name.length + 1, at + 200).split('<', 1)[0];
    return (words ?? '')
      .trim()
      .split(/\s+/)
      .map((word) => (word === '' ? Number.NaN : Number(word)));
  });
  const [west = Number.NaN, south = Number.NaN] = lower ?? [];
  const [east = Number.NaN, north = Number.NaN] = upper ?? [];
  return cornersOfBox(west, south, east, north);
}

/** The root’s closing tag, with nothing but space, comments and instructions behind it. */
async function judge(file: FileBytes, { name }: Root, encoding: Encoding): Promise<Verdict> {
  const tail = await file.last(reach);
  // Two bytes a sign: the tail begins at an even place.
  const end = withoutMisc(decode(encoding === 'utf8' ? tail : tail.subarray(file.size % 2), encoding));
  return endsWithTag(end, name) ? null : 'noEnd';
}

type Encoding = 'utf8' | 'le' | 'be';

function encodingOf(head: Buffer): Encoding {
  const mark = head.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === '3c00') return 'le';
  return mark === 'feff' || mark === '003c' ? 'be' : 'utf8';
}

function decode(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'utf8') return bytes.toString('utf8').replace(/^\ufeff/, '');
  const even = bytes.subarray(0, bytes.length & ~1);
  const text = (encoding === 'le' ? even : Buffer.from(even).swap16()).toString('utf16le');
  return text.replace(/^\ufeff/, '');
}

/** The first element; null while its start tag is not whole. */
function findRoot(text: string): Root | null {
  let at = 0;
  for (;;) {
    at = text.indexOf('<', at);
    if (at < 0) return null;
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = after(text, '?>', at + 2);
    else if (text.startsWith('<!', at)) at = afterDoctype(text, at);
    else break;
    if (at < 0) return null;
  }
  let quote = '';
  for (let end = at + 1; end < text.length; end++) {
    const sign = text[end] ?? '';
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') {
      const name = text.slice(at + 1, Math.min(end, at + 300)).split(/[\s/>]/, 1)[0] ?? '';
      const attributes = text.slice(at + 1 + name.length, end);
      return { name, attributes, isAlone: attributes.endsWith('/') };
    }
  }
  return null;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

function afterDoctype(text: string, from: number): number {
  const end = text.indexOf('>', from);
  const inner = text.indexOf('[', from);
  if (inner < 0 || (end >= 0 && end < inner)) return end < 0 ? -1 : end + 1;
  const close = after(text, ']', inner);
  return close < 0 ? -1 : after(text, '>', close);
}

/** Without space, comments and processing instructions at the end. */
function withoutMisc(text: string): string {
  let end = trimmed(text);
  for (;;) {
    const open = end.endsWith('-->')
      ? end.lastIndexOf('<!--')
      : end.endsWith('?>')
        ? end.lastIndexOf('<?')
        : -1;
    if (open < 0) return end;
    end = trimmed(end.slice(0, open));
  }
}

function endsWithTag(text: string, name: string): boolean {
  if (!text.endsWith('>')) return false;
  return trimmed(text.slice(0, -1)).endsWith(`</${name}`);
}
