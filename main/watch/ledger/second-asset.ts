import type { FoundSource, LedgerEntry } from '../model.ts';
import { type Content, compare } from '../verify/content.ts';
import { failureClassOf } from './failure-class.ts';
import { looksSame } from './same-content.ts';

/**
 * The brake on second assets: once the bytes of a source are complete in storage, nothing but a person, or a
 * change of the source, creates another asset of it. Asked by the ledger itself in the transaction that takes
 * a source, so that it holds whatever goes wrong above. Pure.
 */

type Row = Pick<LedgerEntry, 'state' | 'uploadedAt' | 'standing' | 'error' | 'assetId' | 'restarts'>;

/** Assets that may follow a source's first one without a user decision: each failure leaves one behind. */
const maxRestarts = 1;

/** A source whose asset can't be continued may become another asset, as far as their number goes. */
export function mayRestart({ assetId, restarts }: Pick<Row, 'assetId' | 'restarts'>): boolean {
  return assetId === null || restarts < maxRestarts;
}

/** Another asset may be made of the same content. */
export function allowsAnother(row: Row): boolean {
  const { state, uploadedAt, error } = row;
  // None was made of it.
  if (state === 'skipped' || state === 'seen') return true;
  if (isRequested(row)) return true;
  if (state === 'taken' || state === 'complete' || isUnreadable({ error })) return false;
  if (!mayRestart(row)) return false;
  // Its asset can't be completed any more: a new upload needs a new one.
  if (uploadedAt === null) return true;
  // The service found fault with the data, or someone deleted the asset.
  return error !== null && (failureClassOf(error.code) === 'own' || error.code === 'asset-not-found');
}

/** The user wants an asset of it as it is, whatever was made of it. */
export function isRequested({ standing }: Pick<LedgerEntry, 'standing'>): boolean {
  return standing?.why === 'upload';
}

/** What became of the source is not known: the row is of a later version, or damaged. */
export function isUnreadable({ error }: Pick<LedgerEntry, 'error'>): boolean {
  return error?.code === 'watch-row-unreadable';
}

/** Another computer calls a source of its size and time done, and what it held can't be compared. */
export function isUntoldElsewhere({ error }: Pick<LedgerEntry, 'error'>): boolean {
  return error?.code === 'watch-done-untold';
}

/**
 * The row for whose sake this source must not be taken; undefined where none speaks against it. What looks
 * the same is the same, unless its content was compared and is another; what holds the same is, whatever it
 * looks like. A copy beside its original is a source of its own, and so is what comes again after it was
 * moved away.
 *
 * @param rows of the rule with its path or its identity
 * @param isThere whether something is at this path of the watched folder
 * @param content what the source holds; undefined where nobody has read it as it is now
 */
export function rowAgainst(
  source: Pick<FoundSource, 'path' | 'identity' | 'newestMs'>,
  rows: readonly LedgerEntry[],
  isThere: (path: string) => boolean,
  content: Content | undefined,
): LedgerEntry | undefined {
  return rows.find((row) => {
    if (allowsAnother(row)) return false;
    const verdict = compare(content, row);
    const isSame = verdict === 'same' || (verdict !== 'differs' && looksSame(source, row));
    return isSame && (row.path === source.path || (row.movedTo === null && !isThere(row.path)));
  });
}
