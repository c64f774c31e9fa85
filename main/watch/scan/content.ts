import { basename } from 'node:path/posix';
import { Fingerprint } from '../../files/fingerprint.ts';
import { createIsDerived, type IsDerived } from '../../files/left-out/derived-files.ts';
import { stemOf } from '../../inspect/together/data-set.ts';
import { isMd5 } from '../../storage/etag.ts';
import { countParts, planFile } from '../../transfer/plan.ts';
import { createPause } from '../../work-line.ts';
import type { LedgerEntry, ReceiptFile } from '../model/model.ts';
import { nameless } from './found-source.ts';

/**
 * A comparable hash of file names without the source's own, sizes and storage ETags, from storage's
 * confirmations or from the disk. Ignores derived files, unless a source has nothing else.
 */
export type Content = string;

/** Marks confirmations of storage that can't be compared with files. */
export const unverifiable = 'unverifiable';

/** Increase it after a change of the hash or the parts' plan. */
const version = '1:';

/** Hashes files, added in any order. */
export class ContentSum {
  readonly #sum = new Fingerprint();
  readonly #stem: string | null;
  readonly #isDerived: IsDerived;

  /** @param path of the source, relative to the watched folder */
  constructor(path: string, keys: readonly string[]) {
    this.#stem = stemIn(path, keys);
    this.#isDerived = derivedIn(keys);
  }

  /** Other files need no checksum. */
  counts(key: string): boolean {
    return !this.#isDerived(key);
  }

  /** @param etag an MD5 (hex), or of the parts that `planFile` plans */
  add(key: string, size: number, etag: string): void {
    if (!this.counts(key)) return;
    this.#sum.add(`${nameless(key, this.#stem).toLowerCase()}\0${size}\0${etag.toLowerCase()}`);
  }

  get content(): Content {
    return version + this.#sum.digest();
  }
}

/** A source of single files is named after one of them. */
function stemIn(path: string, keys: Iterable<string>): string | null {
  const name = basename(path);
  for (const key of keys) if (key === name) return stemOf(name);
  return null;
}

/** Most sources have no derived files, so the set of keys is only created if needed. */
function derivedIn(keys: readonly string[]): IsDerived {
  let keySet: ReadonlySet<string> | null = null;
  const isDerived = createIsDerived((key) => {
    keySet ??= new Set(keys);
    return keySet.has(key);
  });
  return keys.every(isDerived) ? () => false : isDerived;
}

/**
 * Hashes what storage confirmed; `unverifiable` if any ETag isn't comparable. `path`: the source's path at
 * that time.
 */
export async function contentOfSent(path: string, files: readonly ReceiptFile[]): Promise<Content> {
  if (files.length === 0) return unverifiable;
  const sum = new ContentSum(
    path,
    files.map(({ key }) => key),
  );
  const pause = createPause();
  for (const { key, size, etag, partSize } of files) {
    await pause();
    if (!sum.counts(key)) continue;
    if (etag === null || partSize !== planFile(size).partSize || !isComparable(etag, size, partSize))
      return unverifiable;
    sum.add(key, size, etag);
  }
  return sum.content;
}

function isComparable(etag: string, size: number, partSize: number): boolean {
  const count = countParts(size, partSize);
  if (count === 1) return isMd5(etag);
  const [md5 = '', parts] = etag.split('-');
  return isMd5(md5) && parts === String(count);
}

/** `unknown`: until both contents are computed. `unverifiable`: never comparable. */
export type Verdict = 'same' | 'differs' | 'unverifiable' | 'unknown';

/** Compares a source with the upload of a row. `content`: of the source now, undefined until read. Pure. */
export function compare(
  content: Content | undefined,
  row: Pick<LedgerEntry, 'content' | 'state' | 'jobId' | 'uploadedAt'>,
): Verdict {
  const uploadedContent = row.content ?? (wasUploaded(row) ? null : unverifiable);
  if (uploadedContent === unverifiable) return 'unverifiable';
  if (uploadedContent === null || content === undefined) return 'unknown';
  return uploadedContent === content ? 'same' : 'differs';
}

function wasUploaded({ jobId, state, uploadedAt }: Pick<LedgerEntry, 'state' | 'jobId' | 'uploadedAt'>) {
  return jobId !== null && (uploadedAt !== null || state === 'complete');
}
