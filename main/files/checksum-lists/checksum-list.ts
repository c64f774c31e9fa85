import { extname } from 'node:path/posix';

/** Lists of checksums as `md5sum`, `sha256sum`, `shasum`, BSD's `md5` and others write them. Pure. */

export type Algorithm = 'md5' | 'sha1' | 'sha256' | 'sha512';

export interface ListedChecksum {
  /** As it is written, `/`-separated. */
  readonly path: string;
  readonly algorithm: Algorithm;
  /** Hex, in lower case. */
  readonly checksum: string;
}

const algorithmsByLength: ReadonlyMap<number, Algorithm> = new Map([
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
  [128, 'sha512'],
]);
const extensions: ReadonlySet<string> = new Set([
  '.md5',
  '.sha1',
  '.sha256',
  '.sha512',
  '.md5sum',
  '.sha256sum',
]);
/** `SHA256SUMS`, `md5sums.txt`, `checksums.txt`; of BagIt `manifest-sha256.txt`. */
const names =
  /^(?:(?:md5|sha1|sha256|sha512)sums?|checksums?|(?:tag)?manifest-(?:md5|sha1|sha256|sha512))(?:\.txt)?$/i;

/** Whether a file of this name is a list of checksums, and so no data. */
export function isListName(name: string): boolean {
  return extensions.has(extname(name).toLowerCase()) || names.test(name);
}

/** Whether a list is the one of a file or folder, by their names: `a.tif.md5` or `a.md5` of `a.tif`. */
export function isListOf(list: string, name: string): boolean {
  if (!extensions.has(extname(list).toLowerCase())) return false;
  const named = list.slice(0, -extname(list).length).toLowerCase();
  return (
    named === name.toLowerCase() || named === name.slice(0, name.length - extname(name).length).toLowerCase()
  );
}

const gnu = /^(\\?)([0-9a-f]{32,128})[ \t]+\*?(.+)$/i;
const bsd = /^(\\?)(MD5|SHA1|SHA256|SHA512|SHA2-256|SHA2-512) ?\((.+)\) ?= ?([0-9a-f]{32,128})$/i;
const alone = /^([0-9a-f]{32,128})$/i;

/**
 * What a list of this name says, line by line; lines that say nothing are passed over. A checksum without a
 * name has an empty path: it is of the file that the list is called after.
 */
export function* checksumsIn(text: string, list: string): Generator<ListedChecksum> {
  const isOfOneFile = extensions.has(extname(list).toLowerCase());
  for (const [line] of text.replace(/^\ufeff/, '').matchAll(/[^\r\n]+/g)) {
    const [, bsdSlash, , bsdPath, bsdSum] = bsd.exec(line) ?? [];
    const [, slash, sum, path] = gnu.exec(line) ?? [];
    const [, only] = alone.exec(line.trim()) ?? [];
    const checksum = bsdSum ?? sum ?? (isOfOneFile ? only : undefined);
    const algorithm = algorithmsByLength.get(checksum?.length ?? 0);
    if (checksum === undefined || algorithm === undefined) continue;
    const isEscaped = (bsdSlash ?? slash ?? '') !== '';
    yield { path: plain(bsdPath ?? path ?? '', isEscaped), algorithm, checksum: checksum.toLowerCase() };
  }
}

/** A leading backslash marks the others in the name as escapes; elsewhere they are Windows' separators. */
function plain(path: string, isEscaped: boolean): string {
  const written = isEscaped
    ? path.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 'r' ? '\r' : sign))
    : path.replaceAll('\\', '/');
  return written.replace(/^(?:\.\/)+/, '');
}
