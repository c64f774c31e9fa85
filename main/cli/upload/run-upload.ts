import { dirname } from 'node:path';
import type { DecidedAsset, DecidedSource } from '../../inspect/session/session.ts';
import type { AddedJob } from '../../jobs/add-once.ts';
import type { JobSnapshot, NewJob } from '../../jobs/model.ts';
import type { Cli } from '../cli.ts';
import { type ExitCode, type ExitName, exitCodes } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { findRunningAccount, untilStopped } from '../running.ts';
import { stopped } from '../stopped.ts';
import { UsageError } from '../usage-error.ts';
import { checkBefore } from './check-before.ts';
import type { Followed } from './follow.ts';
import { creationBody, type UploadOptions } from './options.ts';
import { reportEnd, resultOf } from './report-end.ts';
import { ownerFacts, type Uploader } from './uploader.ts';

/**
 * Creates the jobs or finds those of an earlier call, then follows them here or in the journal's process.
 * `paths`: absolute, existing.
 */
export async function runUpload(
  cli: Cli,
  paths: readonly string[],
  options: UploadOptions,
): Promise<ExitCode> {
  const running = await findRunningAccount(cli);
  let uploader: Uploader | undefined;
  try {
    // Load the large engine only to upload here.
    uploader = running
      ? await (await import('./hand-over.ts')).uploadByRunning(cli, running)
      : await (await import('./upload-here.ts')).uploadHere(cli);
    return await uploadBy(uploader, cli, paths, options);
  } finally {
    await uploader?.close();
    running?.disconnect();
  }
}

async function uploadBy(
  uploader: Uploader,
  cli: Cli,
  paths: readonly string[],
  options: UploadOptions,
): Promise<ExitCode> {
  const output = cli.output();
  const { accountId, owner } = uploader;
  cli.stop.throwIfAborted();
  // References in documents are untrusted: the user must see the list.
  const inspected = await untilStopped(
    uploader.inspector.decide(paths, owner !== null || !output.isWatched),
    cli.stop,
  );
  const sources = sourcesOf(inspected, options);
  const baseTerrainId = await findBaseTerrain(options.baseTerrain, uploader);
  const newJobs: NewJob[] = [];
  for (const asset of sources) {
    const only =
      inspected.isPart || asset.files < inspected.all.files ? await uploader.inspector.pathsOf(asset) : null;
    newJobs.push(jobOf(accountId, asset, only, options, baseTerrainId));
  }
  if (options.check && !(await checkBefore(cli, uploader.inspector, sources))) return exitCodes.dataError;
  cli.stop.throwIfAborted();
  if (owner) output.print({ key: `cli.upload.owner.${owner.owner}`, values: { pid: String(owner.pid) } });
  const listed = printFiles(output, inspected);
  const results: Followed[] = [];
  const toFollow: JobSnapshot[] = [];
  for (const job of newJobs) {
    const added = await uploader.add(job, options.again);
    printAdded(output, added, job, { ...ownerFacts(uploader), ...listed });
    if (added.kind === 'made') results.push({ job: added.job, exit: 'complete' });
    else toFollow.push(added.job);
  }
  for (const job of toFollow) {
    const giveUpMs = options.giveUpAfter * 60_000;
    const followed =
      owner && !options.wait
        ? ({ job, exit: 'complete' } as const)
        : await uploader.follow(job, { wait: options.wait, giveUpMs, stop: cli.stop });
    results.push(followed);
    reportEnd(cli, followed, uploader);
  }
  const code = codeOf(results, cli);
  output.event({ event: 'result', exitCode: code, jobs: results.map(resultOf) });
  return code;
}

/** The first failure determines the exit code. */
function codeOf(results: readonly Followed[], cli: Cli): ExitCode {
  const exits = results.map(({ exit }) => exit);
  if (exits.includes('stopped')) return stopped(cli.stop);
  const bad = exits.find((exit): exit is ExitName => exit !== 'complete' && exit !== 'stopped');
  return exitCodes[bad ?? 'complete'];
}

/**
 * One source, or with `--one-each` separate ones.
 * @throws UsageError if they are of several kinds and no option decides
 */
function sourcesOf(inspected: DecidedSource, options: UploadOptions): readonly DecidedAsset[] {
  const { separate, all: totals, whole } = inspected;
  if (options.oneEach && separate.length > 0) return separate;
  const areSeveral = separate.length > 1 && inspected.suggestSeparate && whole.inDoubt === null;
  if (areSeveral && options.sourceType === undefined) {
    const kinds = { names: separate.map(({ suggestion }) => suggestion?.sourceType ?? '?') };
    throw new UsageError({ key: 'cli.upload.severalKinds', values: { kinds } });
  }
  return [{ ...whole, ...totals, asset: 'all' }];
}

/** @param only paths of its files; null for all files there */
function jobOf(
  accountId: string,
  asset: DecidedAsset,
  only: readonly string[] | null,
  options: UploadOptions,
  baseTerrainId: number | null,
): NewJob {
  return {
    accountId,
    paths: asset.paths,
    body: creationBody(asset, options, baseTerrainId),
    ...(options.sourceType === undefined && options.type === undefined ? { isKindDetected: true } : {}),
    acceptForecast: options.acceptForecast,
    ...(only && { changes: { only, leftOut: [], assigned: [] } }),
    expected: { files: asset.files, bytes: asset.bytes },
  };
}

/** Lists files that weren't given, and given or referenced files that aren't uploaded. */
function printFiles(output: Output, { taken: addedFiles, leftBehind, notUtf8, paths }: DecidedSource) {
  for (const path of addedFiles) output.print({ key: 'cli.upload.along', values: { path } });
  for (const path of notUtf8) output.print({ key: 'cli.upload.nameNotUtf8', values: { path } });
  for (const path of leftBehind) output.print({ key: 'cli.upload.leftBehind', values: { path } });
  const folders = new Set(leftBehind.length > 0 ? paths.map((path) => dirname(path)) : []);
  if (folders.size > 0)
    output.print({ key: 'cli.upload.giveFolder', values: { folders: { names: [...folders] } } });
  const leftOut = [
    ...notUtf8.map((path) => ({ path, reason: 'name-not-utf8' as const })),
    ...leftBehind.map((path) => ({ path, reason: 'named-only' as const })),
  ];
  return { ...(addedFiles.length > 0 && { along: addedFiles }), ...(leftOut.length > 0 && { leftOut }) };
}

function printAdded(output: Output, added: AddedJob, newJob: NewJob, further: object): void {
  const { kind, job, forecast } = added;
  const { name, type, options } = newJob.body;
  const facts = {
    ...{ event: 'upload', jobId: job.id, name, continued: kind !== 'new', paths: newJob.paths },
    ...further,
  };
  if (kind !== 'new') {
    output.event(facts);
    const keys = {
      made: 'cli.upload.madeBefore',
      failed: 'cli.upload.failedBefore',
      continued: 'cli.upload.continued',
    } as const;
    output.print({ key: keys[kind], values: { name } });
    if (kind === 'made')
      output.result({ key: 'cli.upload.complete', values: { name, assetId: String(job.assetId ?? '') } });
    return;
  }
  const { files, bytes } = newJob.expected ?? { files: 0, bytes: 0 };
  output.event({
    ...facts,
    ...{ files, bytes, type, options },
    forecast: forecast && { seconds: Math.round(forecast.seconds), shareOfLife: forecast.shareOfLife },
  });
  const { sourceType } = options;
  const values = { name, type, sourceType, count: files, size: { bytes } };
  output.print({ key: 'cli.upload.begun', values });
  if (forecast)
    output.print({ key: 'cli.upload.forecast', values: { time: { duration: forecast.seconds * 1000 } } });
}

/**
 * By ID (not checked) or name.
 * @throws UsageError if no terrain or several have that name; errors of listing
 */
async function findBaseTerrain(
  terrain: string | undefined,
  { terrainsCalled }: Pick<Uploader, 'terrainsCalled'>,
): Promise<number | null> {
  if (terrain === undefined) return null;
  if (/^[1-9]\d{0,14}$/.test(terrain)) return Number(terrain);
  const terrains = await terrainsCalled(terrain);
  if (terrains.length > 1) {
    const ids = { names: terrains.map(({ id }) => String(id)) };
    throw new UsageError({ key: 'cli.upload.terrainSeveral', values: { name: terrain, ids } });
  }
  if (!terrains[0]) throw new UsageError({ key: 'cli.upload.terrainUnknown', values: { name: terrain } });
  return terrains[0].id;
}
