import type { HistoryEntry, JobView } from '../../preload/contract.ts';
import type { Phrase, PhraseValue, Said } from '../../strings/phrase.ts';
import { errorPhrase } from '../../strings/said-error.ts';

const minute = 60_000;

export function historyOf(job: JobView): readonly HistoryEntry[] {
  const { createdAt, uploadedAt, endedAt, assetId } = job;
  if (job.status === 'queued') return [];
  const lines: HistoryEntry[] = [];
  const add = (timeMs: number, ...phrases: readonly Said[]) => lines.push({ at: timeMs, said: phrases });
  add(createdAt, { key: 'history.started' });
  const amount = amountOf(job);
  if (amount) add(createdAt + minute / 12, { key: 'history.scanned', values: { amount } });
  if (assetId !== null)
    add(createdAt + minute / 6, { key: 'history.assetCreated', values: { id: String(assetId) } });
  if (job.partsSentAgain > 0)
    add(createdAt + 5 * minute, {
      key: 'history.resent.parts-refused',
      values: { path: job.paths[0] ?? job.name },
    });
  if (job.status === 'paused') add(createdAt + 12 * minute, { key: 'history.paused' });
  if (job.waitingFor === 'network')
    add(createdAt + 8 * minute, {
      key: 'history.troubled',
      values: { why: errorPhrase(job.error ?? { code: 'offline' }) },
    });
  if (uploadedAt !== null) {
    add(uploadedAt, uploadedPhrase(uploadedAt - createdAt, amount));
    if (job.status !== 'completing') add(uploadedAt, { key: 'history.tilingBegan' });
    const statusLine = { key: 'sources.why.tilingAt', values: { percent: 25 } } as const;
    if (job.status === 'tiling' && job.progressMessage !== null)
      add(uploadedAt + minute, {
        key: 'history.inItsWords',
        values: { known: statusLine, message: job.progressMessage },
      });
  }
  if (endedAt !== null) add(endedAt, job.error ? errorPhrase(job.error) : endPhrase(job));
  return lines;
}

function amountOf({ fileCount, bytesTotal }: JobView): PhraseValue | null {
  if (fileCount === null || bytesTotal === null) return null;
  return { key: 'history.amount', values: { files: fileCount, size: { bytes: bytesTotal } } };
}

function uploadedPhrase(duration: number, amount: PhraseValue | null): Phrase {
  const subject = amount ?? ({ key: 'history.everything' } as const);
  return { key: 'history.uploadedIn', values: { what: subject, time: { duration } } };
}

function endPhrase({ status, uploadedAt, endedAt }: JobView): Phrase {
  if (status === 'cancelled') return { key: 'history.cancelled' };
  if (uploadedAt === null || endedAt === null) return { key: 'history.complete' };
  return { key: 'history.completeIn', values: { time: { duration: endedAt - uploadedAt } } };
}
