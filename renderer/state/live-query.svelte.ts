import type { ErrorRecord, JobView } from '../../preload/contract.ts';
import { errorViewOf } from '../api.ts';
import { isWorking } from '../words/job-row.ts';

const refreshMs = 3000;

interface LiveQuery<T> {
  readonly value: T | null;
  readonly error: ErrorRecord | null;
}

/**
 * Loads a value from main for each new version; null id: loads nothing. Call it in a component's script only.
 */
export function liveQuery<T>(
  id: () => string | null,
  version: () => unknown,
  ask: (id: string) => Promise<T>,
): LiveQuery<T> {
  let value: T | null = $state.raw(null);
  let error: ErrorRecord | null = $state.raw(null);
  const current = $derived(id());
  const currentVersion = $derived(version());
  $effect(() => {
    void current;
    value = null;
    error = null;
  });
  $effect(() => {
    void currentVersion;
    if (current === null) return;
    let isStale = false;
    ask(current).then(
      (answer) => {
        if (isStale) return;
        value = answer;
        error = null;
      },
      (thrown) => {
        if (!isStale) error = errorViewOf(thrown);
      },
    );
    return () => {
      isStale = true;
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
 * Loads facts about the opened job when it changes notably, and at a slow pace while it runs: progress
 * changes ten times a second. Call it in a component's script only.
 */
export function liveJobQuery<T>(
  job: () => JobView,
  ask: (id: string) => Promise<T>,
  readTime: () => number,
): LiveQuery<T> {
  const version = () => {
    const { id, status, waitingFor, assetStatus, error, assetId } = job();
    const beat = isWorking(job()) ? Math.floor(readTime() / refreshMs) : '';
    return [id, status, waitingFor, assetStatus, error?.code, assetId, beat].join('|');
  };
  return liveQuery(() => job().id, version, ask);
}
