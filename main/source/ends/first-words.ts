import type { FileBytes } from './file-bytes.ts';
import type { Verdict } from './verdict.ts';

/**
 * What stands in place of data when fetching it went wrong: Git leaves a pointer where a large file was not fetched, servers answer with a page or with an
 * XML document that holds their error. `isText`: the format itself is XML.
 */
export async function firstWords(file: FileBytes, isMarkup: boolean): Promise<Verdict> {
  const start = (await file.first(512)).toString('latin1').replace(/^ï»¿/, '').trimStart();
  if (start.startsWith('version https://git-lfs.github.com/spec/')) return 'lfsPointer';
  const words = start.toLowerCase();
  if (/^<(!doctype\s+html|html)[\s>]/.test(words)) return 'webPage';
  const root = words.replace(/^<\?xml[^>]*\?>\s*/, '');
  if (/^<([a-z]+:)?(error|exceptionreport|serviceexceptionreport|serviceexception)[\s>]/.test(root))
    return 'serverError';
  return !isMarkup && words.startsWith('<?xml') ? 'serverError' : null;
}
