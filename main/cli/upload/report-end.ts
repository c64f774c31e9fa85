import { TileliftError, toErrorRecord } from '../../errors.ts';
import { errorWords } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { type ExitCode, type ExitName, exitCodes } from '../exit-codes.ts';
import { tellRemote } from '../output.ts';
import { exitCodeWhenStopped } from '../stopped.ts';
import type { FollowResult } from './follow.ts';
import { jobsCall, type Uploader } from './uploader.ts';

/** Prints the asset, or why there is none. */
export function reportEnd(cli: Cli, { job, exit, connectionError }: FollowResult, { owner }: Uploader): void {
  const output = cli.output();
  const name = job.name;
  if (connectionError) {
    output.print(errorWords(toErrorRecord(connectionError)));
    return;
  }
  const assetId = job.assetId === null ? '' : String(job.assetId);
  if (owner && job.endedAt === null && (exit === 'stopped' || exit === 'givenUp')) {
    const cancel = jobsCall(cli, 'cancel', job);
    if (exit === 'givenUp') output.print({ key: 'cli.upload.stillTrying', values: { name } });
    output.print({ key: 'cli.upload.ownerContinues', values: { name, cancel } });
    return;
  }
  if (exit === 'complete') {
    if (owner && job.assetId === null) {
      output.result({ key: 'cli.upload.handedOver', values: { name, id: job.id.slice(0, 8) } });
      return;
    }
    const key = job.status === 'complete' ? 'cli.upload.complete' : 'cli.upload.uploaded';
    output.result({ key, values: { name, assetId } });
    return;
  }
  if (exit === 'stopped') {
    output.print({ key: 'cli.upload.stopped', values: { name } });
    return;
  }
  if (job.error) {
    output.print(errorWords(job.error));
    const remote = job.error.remote?.message;
    if (remote) tellRemote(output, remote);
  }
  if (exit === 'heldForPerson') {
    const needsConfirmation = job.waitingFor === 'confirmation';
    output.print({ key: needsConfirmation ? 'cli.upload.askForecast' : 'cli.upload.held', values: { name } });
  } else if (exit === 'givenUp' && job.endedAt === null)
    output.print({ key: 'cli.upload.gaveUp', values: { name } });
  else if (exit === 'signIn' && !job.error)
    output.print(
      errorWords(
        toErrorRecord(new TileliftError('not-signed-in', { subject: { key: 'general.theService' } })),
      ),
    );
}

/** Prints the last JSON line and returns the exit code. */
export function finish(cli: Cli, results: readonly FollowResult[]): ExitCode {
  const exitCode = codeOf(results, cli);
  return cli.output().end(exitCode, { jobs: results.map(resultOf) });
}

/** The first failure determines the exit code. */
function codeOf(results: readonly FollowResult[], cli: Cli): ExitCode {
  const exits = results.map(({ exit }) => exit);
  if (exits.includes('stopped')) return exitCodeWhenStopped(cli.stop);
  const failedExit = exits.find((exit): exit is ExitName => exit !== 'complete' && exit !== 'stopped');
  return exitCodes[failedExit ?? 'complete'];
}

/** Returns the job's part of the last JSON line. */
function resultOf({ job, exit, connectionError }: FollowResult) {
  const error = connectionError ? toErrorRecord(connectionError) : job.error;
  return {
    ...{ jobId: job.id, name: job.name, paths: job.paths, status: job.status },
    ...{ assetId: job.assetId, assetStatus: job.assetStatus },
    ...{ files: job.fileCount, bytes: job.bytesTotal, bytesDone: job.bytesDone },
    resumable: exit === 'stopped' || (exit !== 'complete' && job.endedAt === null),
    exitCode: exit === 'stopped' ? null : exitCodes[exit],
    error: error && { code: error.code, ...(error.remote && { remote: error.remote }) },
  };
}
