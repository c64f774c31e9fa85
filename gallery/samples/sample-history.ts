import type { HistoryView, JobView } from '../../preload/contract.ts';
import { formatBytes } from '../../strings/format/bytes.ts';
import { formatCount } from '../../strings/format/number.ts';

const minute = 60_000;

/** What such a job would have been through, in main's words. */
export function historyOf(job: JobView): readonly HistoryView[] {
  const { createdAt, uploadedAt, endedAt, assetId } = job;
  const lines: HistoryView[] = [{ at: createdAt, text: dropped(job) }];
  const say = (at: number, text: string) => lines.push({ at, text });
  if (assetId !== null)
    say(
      createdAt + minute / 6,
      `The service made asset ${assetId} and gave storage credentials for an hour.`,
    );
  if (job.bytesDone > 0) say(createdAt + minute / 4, 'Upload began with 4 parts at a time.');
  if (job.partsSentAgain > 0)
    say(
      createdAt + 5 * minute,
      `Storage asked for fewer requests; ${job.partsSentAgain} parts were sent again.`,
    );
  if (job.partsTotal !== null && job.partsDone * 2 > job.partsTotal)
    say(
      (createdAt + (uploadedAt ?? createdAt + 14 * minute)) / 2,
      'Storage has confirmed half of the parts.',
    );
  if (job.status === 'paused') say(createdAt + 38 * minute, 'Paused.');
  if (job.waitingFor === 'network') say(createdAt + 12 * minute, 'The network is gone.');
  if (uploadedAt !== null) say(uploadedAt, 'Everything was uploaded; the service was told.');
  if (endedAt !== null) say(endedAt, job.error?.message ?? ended(job));
  return lines;
}

function dropped({ fileCount, bytesTotal }: JobView): string {
  if (fileCount === null || bytesTotal === null) return 'Dropped.';
  return `Dropped: ${formatCount(fileCount)} ${fileCount === 1 ? 'file' : 'files'}, ${formatBytes(bytesTotal)}.`;
}

function ended({ status }: JobView): string {
  return status === 'cancelled' ? 'Cancelled.' : 'The asset is complete.';
}
