import type { JobStatus } from '../../shared/job-status.ts';
import { type ForeignAnswer, foreignAnswers, foreignMark } from '../../test/answers/foreign-answers.ts';
import { anybodys } from '../../test/answers/requests.ts';
import type { Control, FaultMatch } from '../../test/service/model.ts';
import type { Chance } from './random.ts';

/** Foreign responses, from between Tilelift and the service. They must change nothing. */

/** Responses over plain HTTP with a Retry-After of one second at most. */
const quickAnswers = foreignAnswers.filter(({ action, secure }) => {
  const retryAfterSeconds = action.kind === 'status' ? Number(action.headers?.['Retry-After'] ?? 0) : 0;
  return !secure && retryAfterSeconds <= 1;
});

const storage = (method: string, path: string, times: number): FaultMatch => ({
  room: 'storage',
  method,
  path,
  times,
});

const matches: Partial<Record<JobStatus, readonly FaultMatch[]>> = {
  creating: [
    { ...anybodys['create asset'], times: 2 },
    storage('POST', '[?&]uploads', 2),
    { ...anybodys['list assets'], times: 1 },
  ],
  uploading: [
    storage('PUT', '.', 8),
    storage('GET', 'uploadId=', 2),
    storage('POST', 'uploadId=', 2),
    storage('HEAD', '.', 2),
    { room: 'api', path: 'uploadComplete', times: 3 },
  ],
  tiling: [{ room: 'api', method: 'GET', path: '^/v1/assets/', times: 4 }],
};

/** Adds the faults for a job's new state. */
export function meetStrangers(control: Control, status: JobStatus, chance: Chance): void {
  for (const match of matches[status] ?? []) addStranger(control, match, chance);
}

/** Adds one random foreign response. */
export function addStranger(control: Control, match: FaultMatch, chance: Chance): void {
  const { name, action }: ForeignAnswer = chance.pick(quickAnswers);
  control.addFault({ name: foreignMark + name, match, action });
}

/** Number of requests that got a foreign response. */
export function countForeign(control: Control): number {
  return control.requests().filter(({ faultName }) => faultName?.startsWith(foreignMark)).length;
}
