/**
 * The main job in the terminal: starts the embedded service and runs the command `tilelift` on it. Exit code
 * 0 for COMPLETE, 2 for bad input, else 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { EmbeddedService } from '../../test/service/model.ts';
import { allowInBrowser, denyInBrowser } from '../../test/service/person.ts';
import { startEmbeddedService } from '../../test/service/start-service.ts';
import { sampleSource } from '../sample/sample-source.ts';
import { root } from '../setup/packages.mjs';
import { compareWithStorage, saveObjects } from './compare-storage.ts';

/** Failures that the terminal can provoke to show their messages. */
const rehearsals = ['denied', 'state-differs', 'dead-service', 'data-error', 'tiling-error'];

interface CommandResult {
  readonly exitCode: number;
  readonly error?: { readonly code: string };
  readonly jobs?: readonly {
    readonly assetId: number | null;
    readonly assetStatus: string | null;
    readonly files: number | null;
    readonly bytesDone: number;
    readonly error: { readonly code: string } | null;
  }[];
}

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) return 2;
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-'));
  const service = await startEmbeddedService({ dataFolder: join(folder, 'storage') });
  try {
    const { baseUrl, authUrl, storageUrl, control } = service;
    print(`Embedded service: API ${baseUrl}, sign-in ${authUrl}, storage ${storageUrl}`);
    print('The terminal opens the sign-in link and pastes the last page’s URL, as a person would.');
    const sample = await sampleSource(folder);
    const { rehearse, source = sample.path } = options;
    const sourceType = options['source-type'] ?? (source === sample.path ? sample.sourceType : undefined);
    if (rehearse === 'data-error')
      control.setTiling({ end: 'DATA_ERROR', error: 'No coordinate reference system found' });
    if (rehearse === 'tiling-error') control.setTiling({ end: 'ERROR' });
    if (rehearse === 'dead-service') await service.stop();

    let result = await signIn(folder, service, rehearse);
    if (result.exitCode === 0) {
      const namedOptions = { type: options.type, 'source-type': sourceType, name: options.name };
      const kind = Object.entries(namedOptions).flatMap(([name, value]) =>
        value ? [`--${name}`, value] : [],
      );
      result = await runTilelift(folder, ['upload', source, '--accept-forecast', ...kind]);
    }
    const [job] = result.jobs ?? [];
    if (result.exitCode === 0 && job?.assetId) {
      const files = await compareWithStorage(control, job.assetId, source);
      print(`Compared: ${files} ${files === 1 ? 'object' : 'objects'} on storage, byte-equal to the source`);
      if (options['save-objects']) await saveObjects(control, job.assetId, resolve(options['save-objects']));
      print(`Asset ${job.assetId}: ${job.assetStatus}`);
    }
    if (options.json) {
      const [assetId, status] = [job?.assetId ?? null, job?.assetStatus ?? null];
      const error = (result.error ?? job?.error)?.code;
      print(JSON.stringify({ assetId, status, bytes: job?.bytesDone ?? 0, files: job?.files ?? 0, error }));
    }
    return result.exitCode === 0 || result.exitCode === 2 ? result.exitCode : 1;
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns null after printing an error. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        source: { type: 'string' },
        type: { type: 'string' },
        'source-type': { type: 'string' },
        name: { type: 'string' },
        rehearse: { type: 'string' },
        'save-objects': { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    if (values.rehearse !== undefined && !rehearsals.includes(values.rehearse))
      throw new Error(`--rehearse takes one of: ${rehearsals.join(', ')}.`);
    return values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return null;
  }
}

/** Opens the command's sign-in link and acts as the user in the browser. */
function signIn(
  folder: string,
  { baseUrl, authUrl }: EmbeddedService,
  rehearse: string | undefined,
): Promise<CommandResult> {
  const args = ['sign-in', '--service', baseUrl, authUrl, '--no-browser', '--key-file', join(folder, 'key')];
  return runTilelift(folder, args, async (link, stdin) => {
    const callback = new URL(await (rehearse === 'denied' ? denyInBrowser : allowInBrowser)(link));
    if (rehearse === 'state-differs') callback.searchParams.set('state', 'somebody-elses');
    stdin.write(`${callback.href}\n`);
  });
}

async function runTilelift(
  folder: string,
  args: readonly string[],
  onLink: (link: string, stdin: Writable) => Promise<void> = async () => {},
): Promise<CommandResult> {
  const command = [join(root, 'main', 'command.ts'), ...args, '--home', join(folder, 'home'), '--json'];
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('TILELIFT_'));
  const child = spawn(process.execPath, command, {
    // The embedded service tiles within seconds.
    env: { ...Object.fromEntries(env), TILELIFT_POLL_MS: '500' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const childClosed = once(child, 'close');
  let result: CommandResult = { exitCode: 1 };
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line);
    if (event.event === 'sign-in-link') await onLink(event.link, child.stdin);
    if (event.event === 'result') result = event;
  }
  await childClosed;
  return result;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
