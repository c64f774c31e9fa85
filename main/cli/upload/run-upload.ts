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
import { reportEnd, resultOf } from './report-end.ts';
import { ownerFacts, type Uploader } from './uploader.ts';
import { creationBody, type UploadOptions } from './wishes.ts';

/**
 * Makes the jobs of `tilelift upload`, or finds those that an earlier call has begun, and follows them to
 * their end: in this process, or by the Tilelift that holds the journal. `paths`: absolute, and there.
 */
export async function runUpload(
  cli: Cli,
  paths: readonly string[],
  options: UploadOptions,
): Promise<ExitCode> {
  const running = await findRunningAccount(cli);
  let uploader: Uploader | undefined;
  try {
    // Whoever hands over needs nothing of the engine, which takes most of the time to load.
    uploader = running
      ? await (await import('./hand-over.ts')).uploadByRunning(cli, running)
      : await (await import('./upload-here.ts')).uploadHere(cli);
    return await uploadBy(uploader, cli, paths, options);
  } finally {
    await uploader?.close();
    running?.close();
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
  // What a document names was chosen by whoever wrote it: it comes along only where somebody sees the list.
  const inspected = await untilStopped(
    uploader.inspector.decide(paths, owner !== null || !output.isWatched),
    cli.stop,
  );
  const sources = sourcesOf(inspected, options);
  const baseTerrainId = await findBaseTerrain(options.baseTerrain, uploader);
  const wanted: NewJob[] = [];
  for (const asset of sources) {
    const only =
      inspected.isPart || asset.files < inspected.all.files ? await uploader.inspector.pathsOf(asset) : null;
    wanted.push(jobOf(accountId, asset, only, options, baseTerrainId));
  }
  if (options.check && !(await checkBefore(cli, uploader.inspector, sources))) return exitCodes.dataError;
  cli.stop.throwIfAborted();
  if (owner) output.tell({ key: `cli.upload.owner.${owner.owner}`, values: { pid: String(owner.pid) } });
  const listed = tellFiles(output, inspected);
  const all: Followed[] = [];
  const toFollow: JobSnapshot[] = [];
  for (const job of wanted) {
    const added = await uploader.add(job, options.again);
    tellAdded(output, added, job, { ...ownerFacts(uploader), ...listed });
    if (added.kind === 'made') all.push({ job: added.job, exit: 'complete' });
    else toFollow.push(added.job);
  }
  for (const job of toFollow) {
    const giveUpMs = options.giveUpAfter * 60_000;
    const followed =
      owner && !options.wait
        ? ({ job, exit: 'complete' } as const)
        : await uploader.follow(job, { wait: options.wait, giveUpMs, stop: cli.stop });
    all.push(followed);
    reportEnd(cli, followed, uploader);
  }
  const code = codeOf(all, cli);
  output.event({ event: 'result', exitCode: code, jobs: all.map(resultOf) });
  return code;
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
function sourcesOf(inspected: DecidedSource, options: UploadOptions): readonly DecidedAsset[] {
  const { separate, all, whole } = inspected;
  if (options.oneEach && separate.length > 0) return separate;
  const areSeveral = separate.length > 1 && inspected.suggestSeparate && whole.inDoubt === null;
  if (areSeveral && options.sourceType === undefined) {
    const kinds = { names: separate.map(({ suggestion }) => suggestion?.sourceType ?? '?') };
    throw new UsageError({ key: 'cli.upload.severalKinds', values: { kinds } });
  }
  // What was named is uploaded whole, also what nobody recognizes.
  return [{ ...whole, ...all, asset: 'all' }];
}

/** @param only paths of its files; null where it is all that lies there */
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

/**
 * Says by name what is uploaded without having been given, and what is not uploaded although it was given or
 * belongs to it. The same for the JSON line of each upload.
 */
function tellFiles(output: Output, { taken, leftBehind, notUtf8, paths }: DecidedSource) {
  for (const path of taken) output.tell({ key: 'cli.upload.along', values: { path } });
  for (const path of notUtf8) output.tell({ key: 'cli.upload.nameNotUtf8', values: { path } });
  for (const path of leftBehind) output.tell({ key: 'cli.upload.leftBehind', values: { path } });
  const folders = new Set(leftBehind.length > 0 ? paths.map((path) => dirname(path)) : []);
  if (folders.size > 0)
    output.tell({ key: 'cli.upload.giveFolder', values: { folders: { names: [...folders] } } });
  const leftOut = [
    ...notUtf8.map((path) => ({ path, reason: 'name-not-utf8' as const })),
    ...leftBehind.map((path) => ({ path, reason: 'named-only' as const })),
  ];
  return { ...(taken.length > 0 && { along: taken }), ...(leftOut.length > 0 && { leftOut }) };
}

/** @param further fields of the JSON line */
function tellAdded(output: Output, added: AddedJob, wanted: NewJob, further: object): void {
  const { kind, job, forecast } = added;
  const { name, type, options } = wanted.body;
  const facts = {
    ...{ event: 'upload', jobId: job.id, name, continued: kind !== 'new', paths: wanted.paths },
    ...further,
  };
  if (kind !== 'new') {
    output.event(facts);
    const keys = {
      made: 'cli.upload.madeBefore',
      failed: 'cli.upload.failedBefore',
      continued: 'cli.upload.continued',
    } as const;
    output.tell({ key: keys[kind], values: { name } });
    if (kind === 'made')
      output.result({ key: 'cli.upload.complete', values: { name, assetId: String(job.assetId ?? '') } });
    return;
  }
  const { files, bytes } = wanted.expected ?? { files: 0, bytes: 0 };
  output.event({
    ...facts,
    ...{ files, bytes, type, options },
    forecast: forecast && { seconds: Math.round(forecast.seconds), shareOfLife: forecast.shareOfLife },
  });
  const { sourceType } = options;
  const values = { name, type, sourceType, count: files, size: { bytes } };
  output.tell({ key: 'cli.upload.begun', values });
  if (forecast)
    output.tell({ key: 'cli.upload.forecast', values: { time: { duration: forecast.seconds * 1000 } } });
}

/**
 * The id of the terrain that was named by id or by name; null for none. An id is taken as it is.
 * @throws UsageError where no terrain of the account, or more than one, has that name; what listing throws
 */
async function findBaseTerrain(
  named: string | undefined,
  { terrainsCalled }: Pick<Uploader, 'terrainsCalled'>,
): Promise<number | null> {
  if (named === undefined) return null;
  if (/^[1-9]\d{0,14}$/.test(named)) return Number(named);
  const found = await terrainsCalled(named);
  if (found.length > 1) {
    const ids = { names: found.map(({ id }) => String(id)) };
    throw new UsageError({ key: 'cli.upload.terrainSeveral', values: { name: named, ids } });
  }
  if (!found[0]) throw new UsageError({ key: 'cli.upload.terrainUnknown', values: { name: named } });
  return found[0].id;
}
