import type { ErrorView, JobView } from '../../preload/contract.ts';
import { errorViewOf } from '../api.ts';
import { isUnderWay } from '../words/job-row.ts';

const refreshMs = 3000;

export interface Asked<T> {
  /** Null until the first answer. */
  readonly value: T | null;
  readonly error: ErrorView | null;
}

/**
 * What main says of an opened job, asked again when the job changes in a way that matters, and while work goes on by a slow beat, since a job changes ten
 * times a second. For a component's script alone.
 */
export function askedOfJob<T>(
  job: () => JobView,
  ask: (id: string) => Promise<T>,
  now: () => number,
): Asked<T> {
  let value: T | null = $state.raw(null);
  let error: ErrorView | null = $state.raw(null);
  const version = $derived.by(() => {
    const { id, status, waitingFor, assetStatus, error: problem, assetId } = job();
    const beat = isUnderWay(job()) ? Math.floor(now() / refreshMs) : '';
    return [id, status, waitingFor, assetStatus, problem?.code, assetId, beat].join('|');
  });
  const id = $derived(job().id);
  $effect(() => {
    void version;
    let stale = false;
    ask(id).then(
      (found) => {
        if (stale) return;
        value = found;
        error = null;
      },
      (thrown) => {
        if (!stale) error = errorViewOf(thrown);
      },
    );
    return () => {
      stale = true;
    };
  });
  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
  };
}
