import type { FileBytes } from './file-bytes.ts';
import type { Verdict } from './format.ts';

/** Formats with a closing mark. */

/** Starts each record of a JSON text sequence (RFC 7464). */
const recordSeparator = '\x1e';

/** JSON: the last bracket must match the first. */
export async function jsonEnd(file: FileBytes): Promise<Verdict> {
  const start = (await file.readStart(1_024))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()[0];
  const closingBracket = start === '{' ? '}' : start === '[' ? ']' : null;
  if (closingBracket === null) return start === undefined || start === recordSeparator ? null : 'otherFormat';
  return checkEnding(file, (text) => text.endsWith(closingBracket));
}

/** STEP, such as IFC: ISO 10303-21. */
export async function stepEnd(file: FileBytes): Promise<Verdict> {
  // Some programs write a byte order mark or a comment first.
  const isStep = (await file.readStart(1_024)).includes('ISO-10303-21', 0, 'latin1');
  if (!isStep && !(await file.startsWith('ISO-10303-21'))) return 'otherFormat';
  return checkEnding(file, (text) => /END-ISO-10303-21\s*;$/.test(text.slice(-100)));
}

async function checkEnding(file: FileBytes, isComplete: (text: string) => boolean): Promise<Verdict> {
  const text = trimEndPadding((await file.readEnd(4_096)).toString('latin1'));
  return text === '' || isComplete(text) ? null : 'noEnd';
}

/** Whether there are no control characters except those usual in text. */
export const isPlainText = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte >= 32 || (byte >= 8 && byte <= 13) || byte === 26 || byte === 27);

/** Some programs leave zeros after a text. */
export function trimEndPadding(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\0' || (text[end - 1] ?? '').trim() === '')) end--;
  return text.slice(0, end);
}
