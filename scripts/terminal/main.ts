/**
 * The main job in the terminal, on the embedded service. Exit code 0 for COMPLETE, 2 for bad input, else 1.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useEnvironmentNetwork } from '../../main/cli/environment-network.ts';
import { TileliftError, toTileliftError } from '../../main/errors.ts';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import { allowInBrowser, denyInBrowser } from '../../test/service/person.ts';
import { startEmbeddedService } from '../../test/service/start-service.ts';
import { sampleSource } from '../sample/sample-source.ts';
import { type Rehearsal, readArguments, type TerminalArguments, UsageError } from './arguments.ts';
import { compareWithStorage, saveObjects } from './compare-storage.ts';
import { runMainJob } from './main-job.ts';
import { formatBytes, ProgressPrinter } from './progress.ts';

/** Errors about what the caller gave, not about what happened. */
const inputErrors: ReadonlySet<string> = new Set([
  'source-missing',
  'source-empty',
  'source-unreadable',
  'source-keys-collide',
  'asset-type-unknown',
  'asset-name-empty',
  'source-type-empty',
  'source-type-mismatch',
]);

const { way } = useEnvironmentNetwork(process.env);
const printer = new ProgressPrinter(process.stdout);
process.exitCode = await main();

async function main(): Promise<number> {
  let args: TerminalArguments;
  try {
    args = readArguments(process.argv.slice(2));
  } catch (thrown) {
    return explain(thrown);
  }
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-'));
  try {
    return await runWith(args, folder);
  } catch (thrown) {
    if (args.json)
      printJson({ assetId: null, status: null, bytes: 0, files: 0, error: toTileliftError(thrown).code });
    return explain(thrown);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runWith(args: TerminalArguments, folder: string): Promise<number> {
  const sample = await sampleSource(folder);
  const source = args.source ?? sample.path;
  const service = await startEmbeddedService({ dataFolder: join(folder, 'storage') });
  printer.say(
    `Embedded service: API ${service.baseUrl}, sign-in ${service.authUrl}, storage ${service.storageUrl}`,
  );
  let stopped = false;
  const stop = async () => {
    if (!stopped) await service.stop();
    stopped = true;
  };
  try {
    if (args.rehearse === 'data-error') {
      service.control.setTiling({ end: 'DATA_ERROR', error: 'No coordinate reference system found' });
    }
    if (args.rehearse === 'tiling-error') service.control.setTiling({ end: 'ERROR' });
    if (args.rehearse === 'dead-service') await stop();
    const job = await runMainJob({
      folder: join(folder, 'tilelift'),
      baseUrl: service.baseUrl,
      authUrl: service.authUrl,
      source,
      assetType: args.assetType ?? sample.assetType,
      sourceType: args.sourceType ?? sample.sourceType,
      name: args.name,
      person: person(args.rehearse),
      way,
      onStep: (text) => printer.say(text),
      onProgress: (snapshot) => printer.show(snapshot),
    });
    if (job.status === 'complete' && job.assetId !== null) {
      const files = await compareWithStorage(service.control, job.assetId, source);
      printer.say(
        `Compared: ${files} ${files === 1 ? 'object' : 'objects'} on storage, byte-equal to the source`,
      );
      if (args.saveObjects) await saveObjects(service.control, job.assetId, args.saveObjects);
    }
    return report(job, args.json);
  } finally {
    await stop();
  }
}

/** The person at the browser: allows, denies, or comes back with someone else's state. */
function person(rehearse: Rehearsal | undefined): (link: string) => Promise<string> {
  if (rehearse === 'denied') return (link) => denyInBrowser(link);
  if (rehearse !== 'state-differs') return (link) => allowInBrowser(link);
  return async (link) => {
    const callback = new URL(await allowInBrowser(link));
    callback.searchParams.set('state', 'somebody-elses');
    return callback.href;
  };
}

function report(job: JobSnapshot, json: boolean): number {
  const done = job.status === 'complete';
  const seconds = ((job.endedAt ?? job.createdAt) - job.createdAt) / 1000;
  if (done) {
    printer.say(
      `Asset ${job.assetId}: ${job.assetStatus} · ${job.fileCount} ${job.fileCount === 1 ? 'file' : 'files'}, ${formatBytes(job.bytesDone)} in ${seconds.toFixed(1)} s`,
    );
  }
  const exitCode = done
    ? 0
    : explain(job.error ? TileliftError.fromRecord(job.error) : new TileliftError('internal'));
  if (json) {
    printJson({
      assetId: job.assetId,
      status: job.assetStatus,
      bytes: job.bytesDone,
      files: job.fileCount ?? 0,
      error: job.error?.code,
    });
  }
  return exitCode;
}

/** Says what went wrong in one line, the service's own words included, and gives the exit code for it. */
function explain(thrown: unknown): number {
  if (thrown instanceof UsageError) {
    process.stderr.write(`${thrown.message}\n`);
    return 2;
  }
  const error = toTileliftError(thrown);
  const said = error.remote?.message ? ` The service says: “${error.remote.message}”.` : '';
  process.stderr.write(`${error.message}${said} ${error.advice}\n`);
  if (error.code === 'internal') process.stderr.write(`${String(error.cause ?? thrown)}\n`);
  return inputErrors.has(error.code) ? 2 : 1;
}

interface JsonResult {
  readonly assetId: number | null;
  readonly status: string | null;
  readonly bytes: number;
  readonly files: number;
  readonly error?: string | undefined;
}

function printJson(result: JsonResult): void {
  printer.say(JSON.stringify(result));
}
