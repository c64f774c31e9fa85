import type { Command } from 'commander';
import type { JobStatus } from '../../../shared/job-status.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import { TileliftError } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { say } from '../../say.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import { type CommandAction, commandActions } from '../../socket/protocol.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { addExamples } from '../program-help.ts';
import { runningTilelift } from '../running.ts';
import { UsageError } from '../usage-error.ts';

/** `tilelift jobs`: those of the running service or desktop, and what a person may do with one. */
export function addJobs(program: Command, cli: Cli): void {
  const command = program
    .command('jobs')
    .description(say('cli.jobs.description'))
    .argument('[action]', say('cli.jobs.action'))
    .argument('[id]', say('cli.jobs.id'))
    .action((action?: string, id?: string) => jobs(cli, action, id));
  addExamples(command, ['tilelift jobs', 'tilelift jobs pause 3f1c', 'tilelift jobs retry 3f1c --json']);
}

async function jobs(cli: Cli, action: string | undefined, id: string | undefined): Promise<void> {
  const wanted = commandActions.find((one) => one === action);
  if (action !== undefined && !wanted)
    throw new UsageError({ key: 'cli.jobs.unknownAction', values: { action } });
  if (wanted && id === undefined)
    throw new UsageError({ key: 'cli.usage.missingArgument', values: { argument: 'id' } });
  const running = await runningTilelift(cli);
  try {
    if (wanted && id !== undefined) await act(cli, running, wanted, id);
    else await list(cli, running);
  } finally {
    running.disconnect();
  }
}

async function list(cli: Cli, { ask }: RunningTilelift): Promise<void> {
  const output = cli.output();
  const { jobs: all, more } = await ask('jobs', {});
  for (const job of all) {
    output.event({ event: 'job', ...job });
    output.result({ key: 'cli.jobs.line', values: { id: shortId(job.id), name: job.name, ...stateOf(job) } });
  }
  if (all.length === 0) output.tell({ key: 'cli.jobs.none' });
  if (more > 0) output.tell({ key: 'cli.jobs.more', values: { count: more } });
  const exitCode = exitCodes.complete;
  output.event({ event: 'result', exitCode, more });
  cli.finish(exitCode);
}

/** Where the state allows nothing of the kind, nothing is done and exit code 2 says so. */
async function act(cli: Cli, { ask }: RunningTilelift, action: CommandAction, given: string): Promise<void> {
  const output = cli.output();
  const { jobs: all } = await ask('jobs', {});
  const job = oneOf(all, given);
  const { done, job: after } = await ask('act', { jobId: job.id, action });
  const exitCode = done ? exitCodes.complete : exitCodes.badInput;
  const values = { id: shortId(job.id), name: job.name, ...stateOf(after ?? job) };
  output.result({ key: done ? 'cli.jobs.line' : 'cli.jobs.notNow', values });
  output.event({ event: 'result', exitCode, done, job: after });
  cli.finish(exitCode);
}

/** The beginning of an id names it, where it is the only one. */
function oneOf(jobs: readonly JobSnapshot[], given: string): JobSnapshot {
  const found = jobs.filter(({ id }) => id.startsWith(given));
  if (found.length > 1) throw new UsageError({ key: 'cli.jobs.several', values: { id: given } });
  if (!found[0]) throw new TileliftError('job-unknown', { subject: given });
  return found[0];
}

const shortId = (id: string) => id.slice(0, 8);

function stateOf({ status, bytesDone, bytesTotal }: JobSnapshot) {
  const state: Phrase = { key: statusWords[status] };
  return { state, done: { bytes: bytesDone }, total: { bytes: bytesTotal ?? bytesDone } };
}

const statusWords = {
  queued: 'job.status.queued',
  creating: 'job.status.preparing',
  uploading: 'job.status.uploading',
  completing: 'job.status.finishing',
  tiling: 'job.status.tiling',
  paused: 'job.status.paused',
  complete: 'job.status.complete',
  'data-error': 'job.status.dataError',
  error: 'job.status.tilingFailed',
  failed: 'job.status.failed',
  expired: 'job.status.expired',
  cancelled: 'job.status.cancelled',
} as const satisfies Record<JobStatus, Phrase['key']>;
