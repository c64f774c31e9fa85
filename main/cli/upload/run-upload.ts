import { dirname } from 'node:path';
import { TileliftError } from '../../errors.ts';
import { tellerOf } from '../../inspect/changes/virtual-files.ts';
import type { DecidedAsset, DecidedSource } from '../../inspect/session/session.ts';
import type { AddedJob } from '../../jobs/add-once.ts';
import type { JobSnapshot, NewJob } from '../../jobs/model.ts';
import type { Cli } from '../cli.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { untilStopped } from '../running.ts';
import { UsageError } from '../usage-error.ts';
import { checkBefore } from './check-before.ts';
import type { FollowResult } from './follow.ts';
import { presetsFor } from './inputs.ts';
import { addByHolder, followToEnd, openUploader } from './open-uploader.ts';
import { creationBody, type UploadOptions } from './options.ts';
import { writeReceipts } from './receipt.ts';
import { finish, reportEnd } from './report-end.ts';
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
  const presets = presetsFor(cli, options);
  if (options.dryRun) return printDryRun(cli, paths, { ...options, presets });
  const session = { uploader: await openUploader(cli, options.limitRate) };
  try {
    return await uploadBy(session, cli, paths, { ...options, presets });
  } finally {
    await session.uploader.close();
  }
}

type Wishes = UploadOptions & { readonly presets: ReturnType<typeof presetsFor> };

async function uploadBy(
  session: { uploader: Uploader },
  cli: Cli,
  paths: readonly string[],
  options: Wishes,
): Promise<ExitCode> {
  const output = cli.output();
  const { uploader } = session;
  const { owner } = uploader;
  cli.stop.throwIfAborted();
  const { inspected: inspection, sources, newJobs } = await planUpload(cli, uploader, paths, options);
  if (options.check && !(await checkBefore(cli, uploader.inspector, sources, sourceTypesOf(newJobs))))
    return exitCodes.dataError;
  cli.stop.throwIfAborted();
  if (owner) output.note({ key: `cli.upload.owner.${owner.owner}`, values: { pid: String(owner.pid) } });
  if (owner && options.limitRate !== undefined) output.print({ key: 'cli.upload.limitOfOwner' });
  const listedFields = printFiles(output, inspection);
  const results: FollowResult[] = [];
  const toFollow: JobSnapshot[] = [];
  for (const job of newJobs) {
    const added = await addByHolder(cli, session, job, options);
    printAdded(output, added, job, { ...ownerFacts(uploader), ...listedFields });
    if (added.kind === 'made') results.push({ job: added.job, exit: 'complete' });
    else toFollow.push(added.job);
  }
  for (const job of toFollow) {
    const { wait, limitRate } = options;
    const giveUpMs = options.giveUpAfter * 60_000;
    const followResult =
      owner && owner.owner !== 'upload' && !wait
        ? ({ job, exit: 'complete' } as const)
        : await followToEnd(cli, session, job, { wait, giveUpMs, stop: cli.stop, limitRate });
    results.push(followResult);
    reportEnd(cli, followResult, session.uploader);
  }
  if (options.receipt !== undefined) writeReceipts(cli, options.receipt, results, uploader);
  return finish(cli, results);
}

/** Needs no sign-in unless `--base-terrain` names a terrain. */
async function printDryRun(cli: Cli, paths: readonly string[], options: Wishes): Promise<ExitCode> {
  const output = cli.output();
  const { createInspector } = await import('../../inspect/session/inspector.ts');
  const inspector = createInspector(cli.workers.scan, cli.stop);
  try {
    const terrainsCalled = async (name: string) => {
      const { createAssetReader } = await import('../assets/asset-reader.ts');
      const terrainAsset = { type: 'TERRAIN', name };
      return (await createAssetReader(cli)(({ list }) => list(terrainAsset))).assets;
    };
    const parts = { inspector, accountId: '', owner: null, terrainsCalled };
    const { inspected: inspection, sources, newJobs } = await planUpload(cli, parts, paths, options);
    const listedFields = printFiles(output, inspection);
    for (const { paths: sourcePaths, body, expected: expectedAmount } of newJobs) {
      const { name, type, options: tiling } = body;
      const { files, bytes } = expectedAmount ?? { files: 0, bytes: 0 };
      output.event({
        ...{ event: 'upload-plan', name, paths: sourcePaths, files, bytes, type, options: tiling },
        ...listedFields,
      });
      const values = { name, type, sourceType: tiling.sourceType, count: files, size: { bytes } };
      output.result({ key: 'cli.upload.would', values });
    }
    if (options.check && !(await checkBefore(cli, inspector, sources, sourceTypesOf(newJobs))))
      return exitCodes.dataError;
    return output.end(exitCodes.complete, { jobs: [] });
  } finally {
    inspector.close();
  }
}

const sourceTypesOf = (jobs: readonly NewJob[]) => jobs.map(({ body }) => body.options.sourceType);

async function planUpload(
  cli: Cli,
  uploader: Pick<Uploader, 'inspector' | 'accountId' | 'owner' | 'terrainsCalled'>,
  paths: readonly string[],
  options: Wishes,
) {
  const { inspector, owner } = uploader;
  const { exclude, crs } = options;
  // References in documents are untrusted: the user must see the list.
  const sidecarsOnly = owner !== null || !cli.output().isWatched;
  const inspection = await untilStopped(inspector.decide(paths, { sidecarsOnly, exclude }), cli.stop);
  const sources = sourcesOf(inspection, options);
  const baseTerrainId = await findBaseTerrain(options.baseTerrain, uploader);
  const newJobs: NewJob[] = [];
  for (const asset of sources) {
    const isPart = inspection.isPart || asset.files < inspection.totals.files || exclude.length > 0;
    const files = isPart || crs !== undefined ? await inspector.pathsOf(asset) : [];
    const assignedSystems = crs === undefined ? [] : [{ epsg: crs, files: assignable(files) }];
    // Some formats have no sidecar for it: the service reads an option instead.
    const isOption = assignedSystems.some(({ files }) =>
      files.some((path) => tellerOf(path)?.kind === 'option'),
    );
    const body = creationBody(asset, options, baseTerrainId, options.presets);
    const inputCrs = isOption ? { inputCrs: `EPSG:${crs}` } : {};
    const changes = { ...(isPart && { only: files }), leftOut: [], assigned: assignedSystems };
    newJobs.push({
      accountId: uploader.accountId,
      paths: asset.paths,
      body: { ...body, options: { ...inputCrs, ...body.options } },
      ...(options.sourceType === undefined && options.type === undefined ? { isKindDetected: true } : {}),
      acceptForecast: options.acceptForecast,
      ...((isPart || crs !== undefined) && { changes }),
      expected: { files: asset.files, bytes: asset.bytes },
    });
  }
  return { inspected: inspection, sources, newJobs };
}

/** @throws TileliftError `system-not-assignable` if there are none */
function assignable(paths: readonly string[]): readonly string[] {
  const files = paths.filter((path) => tellerOf(path) !== null);
  if (files.length === 0) throw new TileliftError('system-not-assignable', { subject: paths[0] ?? '' });
  return files;
}

/**
 * One source, or with `--one-each` separate ones.
 * @throws UsageError if they are of several kinds and no option decides
 */
function sourcesOf(inspection: DecidedSource, options: UploadOptions): readonly DecidedAsset[] {
  const { separate: separateAssets, totals, whole: combinedAsset } = inspection;
  if (options.oneEach && separateAssets.length > 0) return separateAssets;
  const areSeveral =
    separateAssets.length > 1 && inspection.suggestSeparate && combinedAsset.inDoubt === null;
  if (areSeveral && options.sourceType === undefined) {
    const values = { names: separateAssets.map(({ suggestion }) => suggestion?.sourceType ?? '?') };
    throw new UsageError({ key: 'cli.upload.severalKinds', values: { kinds: values } });
  }
  return [{ ...combinedAsset, ...totals, asset: 'all' }];
}

/** Lists files that weren't given, and given or referenced files that aren't uploaded. */
function printFiles(output: Output, { taken: addedFiles, leftBehind, notUtf8, paths }: DecidedSource) {
  for (const path of addedFiles) output.note({ key: 'cli.upload.along', values: { path } });
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

function printAdded(output: Output, added: AddedJob, newJob: NewJob, extraFields: object): void {
  const { kind, job, forecast } = added;
  const { name, type, options } = newJob.body;
  const facts = {
    ...{ event: 'upload', jobId: job.id, name, continued: kind !== 'new', paths: newJob.paths },
    ...extraFields,
  };
  if (kind !== 'new') {
    output.event(facts);
    const keys = {
      made: 'cli.upload.madeBefore',
      failed: 'cli.upload.failedBefore',
      continued: 'cli.upload.continued',
    } as const;
    output.note({ key: keys[kind], values: { name } });
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
  output.note({ key: 'cli.upload.begun', values });
  if (forecast)
    output.note({ key: 'cli.upload.forecast', values: { time: { duration: forecast.seconds * 1000 } } });
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
