import type { SignedInAccount } from '../../account/model.ts';
import type { JobSnapshot, NewJob } from '../../jobs/model.ts';
import type { InspectedSource, RecognizedSource } from '../../source/inspect-source.ts';
import type { Cli } from '../cli.ts';
import { type OpenedTilelift, openTilelift } from '../compose.ts';
import { type ExitCode, type ExitName, exitCodes } from '../exit-codes.ts';
import { signedInAccount } from '../signed-in.ts';
import { stopped } from '../stopped.ts';
import { UsageError } from '../usage-error.ts';
import { findBaseTerrain } from './base-terrain.ts';
import { checkBefore } from './check-before.ts';
import { type Followed, followJob } from './follow.ts';
import { reportEnd, resultOf } from './report-end.ts';
import { findSameJob } from './same-job.ts';
import { creationBody, type UploadOptions } from './wishes.ts';

/** A job to follow, and whether this call made it. */
interface Begun {
  readonly id: string;
}

/**
 * Makes the jobs of `tilelift upload`, or finds those that an earlier call has begun, and follows them to
 * their end. `paths`: absolute, and there.
 */
export async function runUpload(
  cli: Cli,
  paths: readonly string[],
  options: UploadOptions,
): Promise<ExitCode> {
  const output = cli.output();
  const opened = await openTilelift(cli);
  const { tilelift } = opened;
  try {
    await tilelift.start();
    const account = await signedInAccount(cli, opened);
    cli.stop.throwIfAborted();
    const inspected = await tilelift.inspect(paths);
    const sources = sourcesOf(inspected, options);
    const service = tilelift.accounts.serviceFor(account.id);
    const baseTerrainId = await findBaseTerrain(options.baseTerrain, service, cli.stop);
    const wanted = sources.map((source) => jobOf(account, source, inspected, options, baseTerrainId));
    if (options.check && !(await checkBefore(cli, tilelift, sources))) return exitCodes.dataError;
    const all: Followed[] = [];
    const begun: Begun[] = [];
    for (const job of wanted) {
      const found = begin(opened, job, options, cli);
      if ('made' in found) all.push({ job: found.made, exit: 'complete' });
      else begun.push(found);
    }
    for (const { id } of begun) {
      const giveUpMs = options.giveUpAfter * 60_000;
      const followed = await followJob(tilelift.jobs, id, output, {
        ...{ wait: options.wait, giveUpMs, stop: cli.stop },
      });
      all.push(followed);
      reportEnd(output, followed);
      if (followed.exit === 'stopped') break;
    }
    const code = codeOf(all, cli);
    output.event({ event: 'result', exitCode: code, jobs: all.map(resultOf) });
    return code;
  } finally {
    await opened.close();
  }
}

/** The first that is not as it was wanted says it for all. */
function codeOf(all: readonly Followed[], cli: Cli): ExitCode {
  const exits = all.map(({ exit }) => exit);
  if (exits.includes('stopped')) return stopped(cli.stop);
  const bad = exits.find((exit): exit is ExitName => exit !== 'complete' && exit !== 'stopped');
  return exitCodes[bad ?? 'complete'];
}

/**
 * The assets that the paths become: one, or with `--one-each` one for each piece that stands for itself.
 * @throws UsageError where they are of several kinds and nobody says what to do about it
 */
function sourcesOf(inspected: InspectedSource, options: UploadOptions): readonly RecognizedSource[] {
  const { separate, scan } = inspected;
  if (options.oneEach && separate.length > 0) return separate;
  if (separate.length > 1 && inspected.suggestSeparate && options.sourceType === undefined) {
    const kinds = { names: separate.map(({ suggestion }) => suggestion?.sourceType ?? '?') };
    throw new UsageError({ key: 'cli.upload.severalKinds', values: { kinds } });
  }
  // What was named is uploaded whole, also what nobody recognizes.
  return [{ ...inspected, files: scan.files }];
}

function jobOf(
  account: SignedInAccount,
  source: RecognizedSource,
  { scan, isPart }: InspectedSource,
  options: UploadOptions,
  baseTerrainId: number | null,
): NewJob {
  const only = isPart || source.files.length < scan.files.length;
  return {
    accountId: account.id,
    paths: source.paths,
    body: creationBody(source, options, baseTerrainId),
    acceptForecast: options.acceptForecast,
    ...(only ? { changes: { only: source.files.map(({ path }) => path), leftOut: [], assigned: [] } } : {}),
    expected: {
      files: source.files.length,
      bytes: source.files.reduce((sum, { size }) => sum + size, 0),
    },
  };
}

/** The job for what is wanted: the one from before, or a new one. `made`: there is an asset of it already. */
function begin(
  { tilelift: { jobs } }: OpenedTilelift,
  wanted: NewJob,
  options: UploadOptions,
  cli: Cli,
): Begun | { readonly made: JobSnapshot } {
  const output = cli.output();
  const { name } = wanted.body;
  const found = findSameJob(jobs, wanted);
  if (found.kind === 'made' && !options.again) {
    const { job } = found;
    output.event({ event: 'upload', jobId: job.id, name, continued: true, paths: job.paths });
    output.tell({ key: 'cli.upload.madeBefore', values: { name } });
    output.result({ key: 'cli.upload.complete', values: { name, assetId: String(job.assetId ?? '') } });
    return { made: job };
  }
  if (found.kind === 'continue') {
    const { id, action } = found;
    if (action) void jobs.act(id, action);
    if (options.acceptForecast) void jobs.act(id, 'confirm');
    output.event({ event: 'upload', jobId: id, name, continued: true, paths: wanted.paths });
    output.tell({ key: 'cli.upload.continued', values: { name } });
    return { id };
  }
  const { files, bytes } = wanted.expected ?? { files: 0, bytes: 0 };
  const forecast = jobs.forecast(wanted.accountId, bytes, files);
  const id = jobs.add(wanted);
  output.event({
    event: 'upload',
    ...{ jobId: id, name, continued: false, paths: wanted.paths, files, bytes },
    ...{ type: wanted.body.type, options: wanted.body.options },
    forecast: forecast && { seconds: Math.round(forecast.seconds), shareOfLife: forecast.shareOfLife },
  });
  const amount = { count: files, size: { bytes } };
  const {
    type,
    options: { sourceType },
  } = wanted.body;
  output.tell({ key: 'cli.upload.begun', values: { name, type, sourceType, ...amount } });
  if (forecast)
    output.tell({ key: 'cli.upload.forecast', values: { time: { duration: forecast.seconds * 1000 } } });
  return { id };
}
