import type { TransferFile } from '../../transfer/transfer-model.ts';
import type { Journal } from '../journal/journal-model.ts';

/** @throws TileliftError `journal-unusable` */
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
