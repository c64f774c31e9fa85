import { join, resolve } from 'node:path';
import { writeFileAtomicSync } from '../../atomic-file.ts';
import { openToRead } from '../../jobs/journal/database.ts';
import { createJournal } from '../../jobs/journal/journal.ts';
import type { SentFile } from '../../jobs/model.ts';
import { makeReceipt, receiptsToJson } from '../../watch/finish/receipt.ts';
import type { Receipt } from '../../watch/model/model.ts';
import type { Cli } from '../cli.ts';
import { homeOf } from '../home.ts';
import { desktopHome } from '../running.ts';
import { UsageError } from '../usage-error.ts';
import type { Followed } from './follow.ts';
import type { Uploader } from './uploader.ts';

/**
 * Writes receipts like those of `tilelift receipts export --format json`, with an empty rule.
 * @throws UsageError if the file can't be written
 */
export async function writeReceipts(
  cli: Cli,
  path: string,
  results: readonly Followed[],
  { owner }: Pick<Uploader, 'owner'>,
): Promise<void> {
  const desktop = owner?.owner === 'desktop' ? desktopHome(cli.platform, cli.env, cli.userHome) : null;
  const journalPath = join(desktop ?? homeOf(cli), 'journal.db');
  const database = openToRead(journalPath);
  const receipts: Receipt[] = [];
  try {
    for (const { job } of results) {
      const files = database ? sentFiles(createJournal(database, journalPath), job.id) : [];
      const entry = { path: job.paths[0] ?? '', takenAt: job.createdAt, endedAt: job.endedAt };
      receipts.push(await makeReceipt({ id: '', name: '' }, entry, job, null, files, []));
    }
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

function* sentFiles(journal: ReturnType<typeof createJournal>, jobId: string): Iterable<SentFile> {
  for (let lastId = 0; ; ) {
    const page = journal.sentFiles(jobId, lastId);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    lastId = last.id;
  }
}
