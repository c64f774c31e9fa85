import type { TransferFile } from '../../transfer/transfer-model.ts';
import type { Journal } from '../journal/journal-model.ts';

/**
 * What storage does not have whole, read from the journal as it is sent: a million files are never in memory
 * at once.
 *
 * @throws TileliftError `journal-unusable`
 */
export function* filesToSend(
  journal: Pick<Journal, 'filesToSend'>,
  jobId: string,
): Generator<TransferFile, undefined> {
  let page = journal.filesToSend(jobId);
  while (page.length > 0) {
    yield* page;
    page = journal.filesToSend(jobId, page.at(-1));
  }
}
