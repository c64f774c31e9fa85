import { Argument, type Command } from 'commander';
import type { JobStatus } from '../../../shared/job-status.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { systemClock } from '../../ports.ts';
import { say } from '../../say.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import { type CommandAction, commandActions } from '../../socket/protocol.ts';
import { type Cli, withTimeout } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { findJob } from '../find-job.ts';
import { isoTime } from '../output.ts';
import { addExamples } from '../program-help.ts';
import { parseDuration } from '../upload/options.ts';
import { UsageError } from '../usage-error.ts';

interface Options {
  /** Ms. */
  readonly timeout?: number;
}

type CanAsk = Pick<RunningTilelift, 'ask'>;

/** `tilelift jobs`: of the running Tilelift, else of the journal. */
export function addJobs(program: Command, cli: Cli): void {
  const command = program
    .command('jobs')
    .description(say('cli.jobs.description'))
    .addArgument(new Argument('[action]', say('cli.jobs.action')).choices(['wait', ...commandActions]))
    .argument('[id]', say('cli.jobs.id'))
    .option('--timeout <time>', say('cli.jobs.timeout'), parseDuration)
    .action((action?: string, id?: string, options?: Options) => jobs(cli, action, id, options));
  addExamples(command, [
    'tilelift jobs',
    'tilelift jobs wait --timeout 2h',
    'tilelift jobs pause 3f1c',
    'tilelift jobs retry 3f1c --json',
  ]);
}

async function jobs(
  cli: Cli,
  action: string | undefined,
  id: string | undefined,
  { timeout }: Options = {},
): Promise<void> {
  if (action === 'wait') {
    const { waitForJobs } = await import('../upload/wait-for-jobs.ts');
    return cli.finish(await waitForJobs(withTimeout(cli, timeout), id));
  }
  if (timeout !== undefined) throw new UsageError({ key: 'cli.jobs.timeoutOfWait' });
  const command = commandActions.find((candidate) => candidate === action);
  if (command && id === undefined)
    throw new UsageError({ key: 'cli.usage.missingArgument', values: { argument: 'id' } });
  const { byHolder } = await import('../running.ts');
  const work = (running: CanAsk) =>
    command && id !== undefined ? performAction(cli, running, command, id) : list(cli, running);
  const byRunning = async (running: RunningTilelift) => {
    try {
      await work(running);
    } finally {
      running.disconnect();
    }
  };
  await byHolder(cli, 'any', byRunning, () => withJournal(cli, work));
}

/** Starts no job. */
async function withJournal(cli: Cli, work: (running: CanAsk) => Promise<void>): Promise<void> {
  const { openTilelift } = await import('../compose.ts');
  const { askDirectly } = await import('../../socket/server.ts');
  const { createSocketWork } = await import('../../socket/answers.ts');
  const { tilelift, dispose: closeTilelift } = await openTilelift(cli);
  const socketWork = createSocketWork({ ...tilelift, clock: systemClock });
  try {
    await work({ ask: askDirectly(socketWork) });
  } finally {
    socketWork.stop();
    await closeTilelift();
  }
}

/** Returns a job as in JSON lines. */
function jobFacts({ id, ...job }: JobSnapshot) {
  return {
    ...{ jobId: id, ...job, createdAt: isoTime(job.createdAt), uploadedAt: isoTime(job.uploadedAt) },
    ...{ endedAt: isoTime(job.endedAt), credentialsEndAt: isoTime(job.credentialsEndAt) },
    nextTryAt: isoTime(job.nextTryAt),
  };
}

async function list(cli: Cli, { ask }: CanAsk): Promise<void> {
  const output = cli.output();
  const { jobs: listedJobs, more: furtherCount } = await ask('jobs', {});
  for (const job of listedJobs) {
    output.event({ event: 'job', ...jobFacts(job) });
    output.result({ key: 'cli.jobs.line', values: { id: shortId(job.id), name: job.name, ...stateOf(job) } });
  }
  if (listedJobs.length === 0) output.note({ key: 'cli.jobs.none' });
  if (furtherCount > 0) output.print({ key: 'cli.jobs.more', values: { count: furtherCount } });
  const exitCode = exitCodes.complete;
  cli.finish(output.end(exitCode, { more: furtherCount }));
}

/** Exit code 2: the job's state doesn't allow the action. */
async function performAction(
  cli: Cli,
  { ask }: CanAsk,
  action: CommandAction,
  idPrefix: string,
): Promise<void> {
  const output = cli.output();
  const { jobs: listedJobs } = await ask('jobs', {});
  const job = findJob(listedJobs, idPrefix);
  const { done: performedAction, job: updated } = await ask('act', { jobId: job.id, action });
  const exitCode = performedAction ? exitCodes.complete : exitCodes.badInput;
  const values = { id: shortId(job.id), name: job.name, ...stateOf(updated ?? job) };
  output.result({ key: performedAction ? 'cli.jobs.line' : 'cli.jobs.notNow', values });
  cli.finish(output.end(exitCode, { done: performedAction, job: updated && jobFacts(updated) }));
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
