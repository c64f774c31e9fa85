import type { JobSnapshot } from '../../jobs/model.ts';
import { errorWords, sayPhrase } from '../../say.ts';

const barWidth = 24;

export function progressLine(job: JobSnapshot): string {
  const name = job.name;
  if (job.error)
    return sayPhrase({ key: 'cli.progress.trouble', values: { name, why: errorWords(job.error) } });
  if (job.status === 'uploading' && job.bytesTotal !== null) {
    const fraction = job.bytesTotal === 0 ? 1 : job.bytesDone / job.bytesTotal;
    const values = {
      ...{ name, bar: bar(fraction), share: Math.floor(fraction * 100) },
      ...{ done: { bytes: job.bytesDone }, total: { bytes: job.bytesTotal } },
    };
    if (job.bytesPerSecond === null) return sayPhrase({ key: 'cli.progress.uploading', values });
    const rate = { bytesPerSecond: job.bytesPerSecond };
    return sayPhrase({ key: 'cli.progress.uploadingAt', values: { ...values, rate } });
  }
  if (job.status === 'tiling') {
    // Until it starts, the service may still report the percentage of the upload.
    const hasStarted = job.assetStatus === 'IN_PROGRESS';
    const percent = hasStarted ? Math.floor(job.percentComplete ?? 0) : 0;
    const values = { name, bar: bar(percent / 100), share: percent };
    return sayPhrase({ key: hasStarted ? 'cli.progress.tiling' : 'cli.progress.tilingSoon', values });
  }
  return sayPhrase({ key: stateKeys[job.status] ?? 'cli.progress.waiting', values: { name } });
}

const stateKeys: Partial<
  Record<JobSnapshot['status'], 'cli.progress.waiting' | 'cli.progress.creating' | 'cli.progress.completing'>
> = {
  queued: 'cli.progress.waiting',
  creating: 'cli.progress.creating',
  completing: 'cli.progress.completing',
};

/** Returns a key that changes when a new line is due on outputs without overwriting. */
export function progressStep(job: JobSnapshot): string {
  const tenths =
    job.status === 'tiling' && job.assetStatus === 'IN_PROGRESS'
      ? (job.percentComplete ?? 0) / 10
      : job.status !== 'tiling' && job.bytesTotal
        ? (job.bytesDone / job.bytesTotal) * 10
        : 0;
  return `${job.status} ${Math.floor(tenths)} ${job.error?.code ?? ''}`;
}

function bar(fraction: number): string {
  const filledWidth = Math.round(Math.min(1, Math.max(0, fraction)) * barWidth);
  return '█'.repeat(filledWidth) + '░'.repeat(barWidth - filledWidth);
}
