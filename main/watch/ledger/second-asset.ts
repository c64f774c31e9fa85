import type { FoundSource, LedgerEntry } from '../model.ts';
import { failureClassOf } from './failure-class.ts';
import { isSameContent } from './same-content.ts';

/**
 * The brake on second assets: once the bytes of a source are complete on storage, nothing but a person, or a change of the source, makes another asset of
 * it. Asked by the ledger itself in the transaction that takes a source, so that it holds whatever goes wrong above. Pure.
 */

type Row = Pick<LedgerEntry, 'state' | 'uploadedAt' | 'wantedAt' | 'error'>;

/** Another asset may be made of the same content. */
export function allowsAnother({ state, uploadedAt, wantedAt, error }: Row): boolean {
  // None was made of it.
  if (state === 'skipped') return true;
  if (wantedAt !== null) return true;
  if (state === 'taken' || state === 'complete') return false;
  // Its asset can't be completed any more: a new upload needs a new one.
  if (uploadedAt === null) return true;
  // The service found fault with the data, or somebody deleted the asset.
  return error !== null && (failureClassOf(error.code) === 'own' || error.code === 'asset-not-found');
}

/**
 * The row for whose sake this source must not be taken; undefined where none speaks against it. A copy beside its original is a source of its own, and so is
 * what comes again after it was moved away.
 *
 * @param sameIdentity rows of the rule with its identity
 * @param isThere whether something lies at this path of the watched folder
 */
export function rowAgainst(
  source: Pick<FoundSource, 'path' | 'identity' | 'newestMs'>,
  sameIdentity: readonly LedgerEntry[],
  isThere: (path: string) => boolean,
): LedgerEntry | undefined {
  return sameIdentity.find((row) => {
    if (!isSameContent(source, row) || allowsAnother(row)) return false;
    return row.path === source.path || (row.movedTo === null && !isThere(row.path));
  });
}
