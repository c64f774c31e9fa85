import type { JobView } from '../../preload/contract.ts';
import { moment } from '../samples/moment.ts';

const beats = 60;
const beatMs = 4000;
/** Variation of a speed as shares of its final value; the first ones imitate a start. */
const speedFactors = [0.98, 1.03, 1.06, 1.01, 0.94, 0.97, 1.04, 1.08, 0.99, 0.91];

/** Reports earlier progress of sending jobs, so that the page has a speed curve. They end unchanged. */
export function rehearse(
  jobs: readonly JobView[],
  setTime: (nowMs: number) => void,
  tell: (job: JobView) => void,
): void {
  const sending = jobs.filter((job) => job.bytesPerSecond !== null);
  for (let beat = 0; beat < beats; beat += 1) {
    setTime(moment - (beats - beat) * beatMs);
    const startedShare = Math.min(1, (beat + 2) / 9);
    const waver =
      startedShare *
      ((speedFactors[(beat * 7) % speedFactors.length] ?? 1) +
        (speedFactors[beat % speedFactors.length] ?? 1) -
        1);
    for (const job of sending) tell({ ...job, bytesPerSecond: (job.bytesPerSecond ?? 0) * waver });
  }
  setTime(moment);
  for (const job of sending) tell(job);
}
