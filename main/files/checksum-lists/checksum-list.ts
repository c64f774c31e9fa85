import { extname } from 'node:path/posix';

export type Algorithm = 'md5' | 'sha1' | 'sha256' | 'sha512';

export interface ListedChecksum {
  /** As written, `/`-separated. */
  readonly path: string;
  readonly algorithm: Algorithm;
  /** Lower-case hex. */
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
/** `SHA256SUMS`, `md5sums.txt`, `checksums.txt`; BagIt's `manifest-sha256.txt`. */
const names =
  /^(?:(?:md5|sha1|sha256|sha512)sums?|checksums?|(?:tag)?manifest-(?:md5|sha1|sha256|sha512))(?:\.txt)?$/i;

/** Whether a file of this name is a checksum list and not data. */
export function isListName(name: string): boolean {
  return extensions.has(extname(name).toLowerCase()) || names.test(name);
}

/** Whether a list belongs to a file or folder: `a.tif.md5` or `a.md5` to `a.tif`. */
export function isListOf(list: string, name: string): boolean {
  if (!extensions.has(extname(list).toLowerCase())) return false;
  const listedName = list.slice(0, -extname(list).length).toLowerCase();
  return (
    listedName === name.toLowerCase() ||
    listedName === name.slice(0, name.length - extname(name).length).toLowerCase()
  );
}

const gnu = /^(\\?)([0-9a-f]{32,128})[ \t]+\*?(.+)$/i;
const bsd = /^(\\?)(MD5|SHA1|SHA256|SHA512|SHA2-256|SHA2-512) ?\((.+)\) ?= ?([0-9a-f]{32,128})$/i;
const checksumOnly = /^([0-9a-f]{32,128})$/i;

/**
 * Parses lists of `md5sum`, `sha256sum`, `shasum`, BSD's `md5` and others, skipping invalid lines. A checksum
 * without a name has an empty path. Pure.
 */
export function* checksumsIn(text: string, list: string): Generator<ListedChecksum> {
  const isOfOneFile = extensions.has(extname(list).toLowerCase());
  for (const [line] of text.replace(/^\ufeff/, '').matchAll(/[^\r\n]+/g)) {
    const [, bsdSlash, , bsdPath, bsdSum] = bsd.exec(line) ?? [];
    const [, slash, sum, path] = gnu.exec(line) ?? [];
    const [, soleChecksum] = checksumOnly.exec(line.trim()) ?? [];
    const checksum = bsdSum ?? sum ?? (isOfOneFile ? soleChecksum : undefined);
    const algorithm = algorithmsByLength.get(checksum?.length ?? 0);
    if (checksum === undefined || algorithm === undefined) continue;
    const isEscaped = (bsdSlash ?? slash ?? '') !== '';
    yield {
      path: normalizePath(bsdPath ?? path ?? '', isEscaped),
      algorithm,
      checksum: checksum.toLowerCase(),
    };
  }
}

/** A leading backslash marks backslashes as escapes; otherwise they are Windows separators. */
function normalizePath(path: string, isEscaped: boolean): string {
  const writtenPath = isEscaped
    ? path.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 'r' ? '\r' : sign))
    : path.replaceAll('\\', '/');
  return writtenPath.replace(/^(?:\.\/)+/, '');
}
