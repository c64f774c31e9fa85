import { join, resolve } from 'node:path';
import type { EndedPlace } from '../../../shared/job.ts';
import { writeFileAtomicSync } from '../../atomic-file.ts';
import { openToRead } from '../../jobs/journal/database.ts';
import { createJournal } from '../../jobs/journal/journal.ts';
import type { Journal } from '../../jobs/journal/journal-model.ts';
import type { SentFile } from '../../jobs/model.ts';
import { snapshotOf } from '../../jobs/service/snapshot.ts';
import { LiveJob } from '../../jobs/steps/live-job.ts';
import { systemClock } from '../../ports.ts';
import { receiptOfUpload } from '../../watch/finish/receipt.ts';
import { receiptsToJson } from '../../watch/finish/receipt-export.ts';
import type { Receipt } from '../../watch/model/model.ts';
import type { Cli } from '../cli.ts';
import { homeOf } from '../home.ts';
import { desktopHome } from '../running.ts';
import { UsageError } from '../usage-error.ts';
import type { FollowResult } from './follow.ts';
import type { Uploader } from './uploader.ts';

/**
 * Writes receipts like those of `tilelift receipts export --format json`, with an empty rule.
 * @throws UsageError if the file can't be written
 */
export function writeReceipts(
  cli: Cli,
  path: string,
  results: readonly FollowResult[],
  { owner }: Pick<Uploader, 'owner'>,
): void {
  const desktop = owner?.owner === 'desktop' ? desktopHome(cli.platform, cli.env, cli.userHome) : null;
  const journalPath = join(desktop ?? homeOf(cli), 'journal.db');
  const database = openToRead(journalPath);
  const receipts: Receipt[] = [];
  try {
    const journal = database && createJournal(database, journalPath);
    for (const { job } of results)
      receipts.push(receiptOfUpload(job, journal ? sentFiles(journal, job.id) : []));
  } finally {
    database?.close();
  }
  const file = resolve(path);
  try {
    writeFileAtomicSync(file, [...receiptsToJson(receipts)].join(''), `${file}.new`, 0o644);
  } catch {
    throw new UsageError({ key: 'cli.rules.notWritten', values: { path: file } });
  }
}

const page = 100;

/** Reads the receipts of ended uploads without a rule, newest first, without changing the journal. */
export function* receiptsOfUploads(journal: Journal): Iterable<Receipt> {
  for (let place: EndedPlace | undefined; ; ) {
    const rows = journal.endedPage(page, place);
    for (const { id } of rows) {
      const record = journal.job(id)?.record;
      if (!record || record.exactly) continue;
      const options = { journal, clock: systemClock, onChange: () => {} };
      const job = new LiveJob(record, journal.events(id), options);
      yield receiptOfUpload(snapshotOf(job, false), sentFiles(journal, id));
    }
    place = rows.at(-1);
    if (!place || rows.length < page) return;
  }
}

function* sentFiles(journal: Pick<Journal, 'sentFiles'>, jobId: string): Iterable<SentFile> {
  for (let lastId = 0; ; ) {
    const page = journal.sentFiles(jobId, lastId);
    yield* page;
    const lastFile = page.at(-1);
    if (!lastFile) return;
    lastId = lastFile.id;
  }
}
