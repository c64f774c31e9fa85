import type { FileProgress, JobFiles, JobView } from '../../../preload/contract.ts';
import { hasEnded } from '../../../shared/job-status.ts';
import { formatPercent, say } from '../../say.ts';
import type { Tone } from '../../words/tone.ts';

interface FileLine {
  readonly key: string;
  readonly size: number;
  readonly state: string;
  readonly tone: Tone;
}

/** Files being sent, then pending ones, then sent ones. */
export function fileLines(files: JobFiles, job: Pick<JobView, 'status'>): readonly FileLine[] {
  const unfinishedRows = files.unfinished.map((file) => ({ ...file, ...unfinishedState(file, job) }));
  const doneRows = files.done.map((file) => {
    return { ...file, state: say('job.files.done'), tone: 'complete' as const };
  });
  return [...unfinishedRows, ...doneRows].map(({ key, size, state, tone }) => ({ key, size, state, tone }));
}

function unfinishedState(
  { bytesDone, size }: FileProgress,
  job: Pick<JobView, 'status'>,
): Pick<FileLine, 'state' | 'tone'> {
  if (bytesDone > 0 && size > 0) return { state: formatPercent(bytesDone / size), tone: 'accent' };
  if (hasEnded(job.status)) return { state: say('job.files.notSent'), tone: 'neutral' };
  return { state: say('job.files.waiting'), tone: 'neutral' };
}

export function unlisted({
  unfinished: unfinishedFiles,
  done: doneFiles,
  unfinishedCount,
  doneCount,
}: JobFiles): string {
  const count = unfinishedCount + doneCount - unfinishedFiles.length - doneFiles.length;
  return count > 0 ? say('job.files.more', { count }) : '';
}
