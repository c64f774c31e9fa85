import type { TilingCourse } from '../model.ts';

export const goodCourse: TilingCourse = { end: 'COMPLETE' };

export interface TilingView {
  readonly status: string;
  readonly percentComplete: number;
  readonly error?: string;
  readonly progressMessage?: string;
}

/**
 * State of a tiling `elapsedMs` ms after its start. Its statuses share `tilingMs` equally; percentComplete
 * starts rising after NOT_STARTED and is 100 only at COMPLETE.
 */
export function tilingAt(course: TilingCourse, elapsedMs: number, tilingMs: number): TilingView {
  const statuses = course.through ?? ['NOT_STARTED', 'IN_PROGRESS'];
  const shareMs = tilingMs / Math.max(statuses.length, 1);
  const initialising = statuses[0] === 'NOT_STARTED' ? shareMs : 0;
  const running = tilingMs - initialising;
  const percent = (ms: number) =>
    running > 0 ? Math.min(99, Math.max(0, Math.floor(((ms - initialising) / running) * 100))) : 0;
  const status = elapsedMs < tilingMs ? statuses[Math.floor(elapsedMs / shareMs)] : undefined;
  if (status !== undefined) {
    const percentComplete = percent(elapsedMs);
    return status === 'IN_PROGRESS'
      ? { status, percentComplete, progressMessage: 'Making tiles' }
      : { status, percentComplete };
  }
  if (course.end === 'COMPLETE') return { status: 'COMPLETE', percentComplete: 100 };
  const error = course.error === undefined ? {} : { error: course.error };
  return { status: course.end, percentComplete: percent(tilingMs), ...error };
}
