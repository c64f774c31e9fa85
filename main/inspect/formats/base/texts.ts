import type { FileBytes } from './file-bytes.ts';
import type { Verdict } from './format.ts';

/** Formats with a closing mark. */

/** Starts each record of a JSON text sequence (RFC 7464). */
const recordSeparator = '\x1e';

/** JSON: the last bracket must match the first. */
export async function jsonEnd(file: FileBytes): Promise<Verdict> {
  const start = (await file.first(1_024))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()[0];
  const close = start === '{' ? '}' : start === '[' ? ']' : null;
  if (close === null) return start === undefined || start === recordSeparator ? null : 'otherFormat';
  return endsLike(file, (text) => text.endsWith(close));
}

/** STEP, such as IFC: ISO 10303-21. */
export async function stepEnd(file: FileBytes): Promise<Verdict> {
  // Some programs write a byte order mark or a comment first.
  const isStep = (await file.first(1_024)).includes('ISO-10303-21', 0, 'latin1');
  if (!isStep && !(await file.begins('ISO-10303-21'))) return 'otherFormat';
  return endsLike(file, (text) => /END-ISO-10303-21\s*;$/.test(text.slice(-100)));
}

async function endsLike(file: FileBytes, fits: (text: string) => boolean): Promise<Verdict> {
  const text = trimmed((await file.last(4_096)).toString('latin1'));
  return text === '' || fits(text) ? null : 'noEnd';
}

/** Whether there are no control characters except those usual in text. */
export const isText = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte >= 32 || (byte >= 8 && byte <= 13) || byte === 26 || byte === 27);

/** Some programs leave zeros after a text. */
export function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\0' || (text[end - 1] ?? '').trim() === '')) end--;
  return text.slice(0, end);
}
