import { basename } from 'node:path/posix';
import { setImmediate } from 'node:timers/promises';
import { Fingerprint } from '../../files/fingerprint.ts';
import { createIsDerived, type IsDerived } from '../../files/left-out/derived-files.ts';
import { stemOf } from '../../inspect/together/data-set.ts';
import { isMd5 } from '../../storage/etag.ts';
import { countParts, planFile } from '../../transfer/plan.ts';
import type { LedgerEntry, ReceiptFile } from '../model.ts';
import { nameless } from '../survey/identity.ts';

/**
 * What a source holds, as one word: of its files' names, without the source's own, their sizes, and the ETags
 * that storage gives to their bytes. The same word is made of what storage confirmed and of what is on the
 * disk, so that the two can be compared. What programs derive from data by looking at them plays no part, but
 * in a source that holds nothing else.
 */
export type Content = string;

/** In the place of a content: what storage confirmed can't be compared with files. */
export const untold = 'untold';

/**
 * Another way of making contents, or another plan of parts, needs another number: contents of different
 * numbers are not compared.
 */
const version = '1:';

/** Makes a content file by file, in any order. */
export class ContentSum {
  readonly #sum = new Fingerprint();
  readonly #stem: string | null;
  readonly #isDerived: IsDerived;

  /** @param path of the source, relative to the watched folder */
  constructor(path: string, keys: readonly string[]) {
    this.#stem = stemIn(path, keys);
    this.#isDerived = derivedIn(keys);
  }

  /** Whether a file of this key plays a part: what does not needs no checksum. */
  counts(key: string): boolean {
    return !this.#isDerived(key);
  }

  /** @param etag an MD5 (hex), or that of the parts that `planFile` cuts */
  add(key: string, size: number, etag: string): void {
    if (!this.counts(key)) return;
    this.#sum.add(`${nameless(key, this.#stem).toLowerCase()}\0${size}\0${etag.toLowerCase()}`);
  }

  get content(): Content {
    return version + this.#sum.digest();
  }
}

/** A source of single files is called by one of them. A folder's files don't bear its name. */
function stemIn(path: string, keys: Iterable<string>): string | null {
  const name = basename(path);
  for (const key of keys) if (key === name) return stemOf(name);
  return null;
}

/** Most sources hold nothing that asks for another key: the set of them is made only then. */
function derivedIn(keys: readonly string[]): IsDerived {
  let all: ReadonlySet<string> | null = null;
  const isDerived = createIsDerived((key) => {
    all ??= new Set(keys);
    return all.has(key);
  });
  return keys.every(isDerived) ? () => false : isDerived;
}

/** Files summed up in one go: a few milliseconds' worth. */
const page = 1_000;

/**
 * What storage confirmed of a source, `untold` where any file's ETag can't be compared with bytes. `path`: by
 * which the source was called then.
 */
export async function contentOfSent(path: string, files: readonly ReceiptFile[]): Promise<Content> {
  if (files.length === 0) return untold;
  const sum = new ContentSum(
    path,
    files.map(({ key }) => key),
  );
  for (const [index, { key, size, etag, partSize }] of files.entries()) {
    if (index % page === page - 1) await setImmediate();
    if (!sum.counts(key)) continue;
    if (etag === null || partSize !== planFile(size).partSize || !isComparable(etag, size, partSize))
      return untold;
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

/** `unknown`: not before both have been worked out. `untold`: never. */
export type Verdict = 'same' | 'differs' | 'untold' | 'unknown';

/**
 * Whether a source holds what was uploaded for this row. `content`: of the source as it is now, undefined
 * where nobody has read it yet. Pure.
 */
export function compare(
  content: Content | undefined,
  row: Pick<LedgerEntry, 'content' | 'state' | 'jobId' | 'uploadedAt'>,
): Verdict {
  const before = row.content ?? (wasUploaded(row) ? null : untold);
  if (before === untold) return 'untold';
  if (before === null || content === undefined) return 'unknown';
  return before === content ? 'same' : 'differs';
}

function wasUploaded({ jobId, state, uploadedAt }: Pick<LedgerEntry, 'state' | 'jobId' | 'uploadedAt'>) {
  return jobId !== null && (uploadedAt !== null || state === 'complete');
}
