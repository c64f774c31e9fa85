import type { FileBytes } from './file-bytes.ts';
import type { Verdict } from './format.ts';

/** Texts that end with the like of what they begin with. */

/** JSON: what begins with a bracket ends with its like. */
export async function jsonEnd(file: FileBytes): Promise<Verdict> {
  const start = (await file.first(1_024))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()[0];
  const close = start === '{' ? '}' : start === '[' ? ']' : null;
  return close === null ? null : endsLike(file, (text) => text.endsWith(close));
}

/** STEP files, as IFC is written: ISO 10303-21. */
export async function stepEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.begins('ISO-10303-21'))) return null;
  return endsLike(file, (text) => /END-ISO-10303-21\s*;$/.test(text.slice(-100)));
}

async function endsLike(file: FileBytes, fits: (text: string) => boolean): Promise<Verdict> {
  const text = trimmed((await file.last(4_096)).toString('latin1'));
  return text === '' || fits(text) ? null : 'noEnd';
}

/** Some programs leave zeros behind a text. */
export function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\0' || (text[end - 1] ?? '').trim() === '')) end--;
  return text.slice(0, end);
}
