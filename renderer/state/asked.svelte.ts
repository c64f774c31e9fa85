import type { ErrorRecord, JobView } from '../../preload/contract.ts';
import { errorViewOf } from '../api.ts';
import { isWorking } from '../words/job-row.ts';

const refreshMs = 3000;

interface Asked<T> {
  /** Null until the first answer. */
  readonly value: T | null;
  readonly error: ErrorRecord | null;
}

/**
 * What main says of something, asked again with every other version of it; nothing while its id is null. For
 * a component's script alone.
 */
export function asked<T>(
  id: () => string | null,
  version: () => unknown,
  ask: (id: string) => Promise<T>,
): Asked<T> {
  let value: T | null = $state.raw(null);
  let error: ErrorRecord | null = $state.raw(null);
  const current = $derived(id());
  const told = $derived(version());
  $effect(() => {
    void current;
    value = null;
    error = null;
  });
  $effect(() => {
    void told;
    if (current === null) return;
    let stale = false;
    ask(current).then(
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

/**
 * What main says of an opened job, asked again when the job changes in a way that matters, and while work
 * continues by a slow beat, since a job changes ten times a second. For a component's script alone.
 */
export function askedOfJob<T>(
  job: () => JobView,
  ask: (id: string) => Promise<T>,
  now: () => number,
): Asked<T> {
  const version = () => {
    const { id, status, waitingFor, assetStatus, error, assetId } = job();
    const beat = isWorking(job()) ? Math.floor(now() / refreshMs) : '';
    return [id, status, waitingFor, assetStatus, error?.code, assetId, beat].join('|');
  };
  return asked(() => job().id, version, ask);
}
