import type { FileBytes } from './file-bytes.ts';
import type { Verdict } from './verdict.ts';

/** What stands before a root element, and behind one, at most. */
const reach = 64 * 1024;

/** Byte order marks. */
const marks = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff'];

/** XML: the root’s closing tag, with nothing but space, comments and instructions behind it. Other text than XML is not judged. */
export async function markupEnd(file: FileBytes): Promise<Verdict> {
  const head = await file.first(reach);
  const encoding = encodingOf(head);
  const start = decode(head, encoding);
  const isAll = file.size <= reach;
  if (isAll && marks.some((mark) => mark.length > head.length && mark.startsWith(head.toString('latin1'))))
    return 'noEnd';
  if (start.trim() === '') return isAll ? 'noEnd' : null;
  if (!/^\s*<($|[!?\p{L}_:])/u.test(start)) return null;
  const root = findRoot(start);
  if (root === null) return isAll ? 'noEnd' : null;
  if (root.isAlone) return null;
  const tail = await file.last(reach);
  // Two bytes a sign: the tail begins at an even place.
  const end = withoutMisc(decode(encoding === 'utf8' ? tail : tail.subarray(file.size % 2), encoding));
  return endsWithTag(end, root.name) ? null : 'noEnd';
}

/** JSON: what begins with a bracket ends with its like. */
export async function jsonEnd(file: FileBytes): Promise<Verdict> {
  const start = decode(await file.first(1_024), 'utf8').trimStart()[0];
  const close = start === '{' ? '}' : start === '[' ? ']' : null;
  return close === null ? null : endsLike(file, (text) => text.endsWith(close));
}

/** STEP files, as IFC is written: ISO 10303-21. */
export async function stepEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('ISO-10303-21'))) return null;
  return endsLike(file, (text) => /END-ISO-10303-21\s*;$/.test(text.slice(-100)));
}

async function endsLike(file: FileBytes, fits: (text: string) => boolean): Promise<Verdict> {
  const text = trimmed(decode(await file.last(4_096), 'utf8'));
  return text === '' || fits(text) ? null : 'noEnd';
}

type Encoding = 'utf8' | 'le' | 'be';

function encodingOf(head: Buffer): Encoding {
  const mark = head.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === '3c00') return 'le';
  return mark === 'feff' || mark === '003c' ? 'be' : 'utf8';
}

function decode(bytes: Buffer, encoding: Encoding): string {
  // Tags and names are compared, nothing is shown: bytes as signs do, whatever the encoding of the text between.
  if (encoding === 'utf8') return bytes.toString('latin1').replace(/^ï»¿/, '');
  const even = bytes.subarray(0, bytes.length & ~1);
  const text = (encoding === 'le' ? even : Buffer.from(even).swap16()).toString('utf16le');
  return text.replace(/^\ufeff/, '');
}

/** The first element; null while its start tag is not whole. */
function findRoot(text: string): { readonly name: string; readonly isAlone: boolean } | null {
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
      return { name, isAlone: text[end - 1] === '/' };
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

/** Some programs leave zeros behind a text. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\0' || (text[end - 1] ?? '').trim() === '')) end--;
  return text.slice(0, end);
}

function endsWithTag(text: string, name: string): boolean {
  if (!text.endsWith('>')) return false;
  return trimmed(text.slice(0, -1)).endsWith(`</${name}`);
}
