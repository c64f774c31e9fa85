import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleCommand, bundleFolder } from '../../../scripts/cli/bundle.mjs';
import { nodeLimits } from '../../../scripts/cli/node-limits.mjs';
import { startEmbeddedService } from '../../../test/service/start-service.ts';
import { plainEnvironment } from '../contenders/contender.ts';
import { median, rotate } from '../numbers.ts';
import { type Doorman, openDoorman } from './doorman.ts';
import { type RestingFigures, restOf } from './resting.ts';
import { watchedTrees } from './watched-trees.ts';

export interface ServiceFigures {
  /** Time from the start of the process to the first request to the service, medians, ms. */
  readonly firstRequestMs: { readonly assets: number; readonly watch: number; readonly bare: number };
  /** `watch` ÷ a bare Node that only sends a request. */
  readonly ratio: number;
  readonly rounds: Readonly<Record<Starter, readonly number[]>>;
  readonly watchedFiles: number;
  /** With new rules, and after a restart with a complete ledger. */
  readonly watching: { readonly fresh: RestingFigures; readonly again: RestingFigures };
  readonly bareMb: number;
}

const starters = ['assets', 'watch', 'bare'] as const;
type Starter = (typeof starters)[number];

interface ServiceOptions {
  readonly folder: string;
  readonly starts: number;
  readonly files: number;
  readonly idleSeconds: number;
  readonly say: (line: string) => void;
}

/** Measures the command's bundle, started as by the deb, against the embedded service over plain HTTP. */
export async function measureService(options: ServiceOptions): Promise<ServiceFigures> {
  const { folder, starts, files, idleSeconds, say } = options;
  const work = join(folder, 'service');
  await mkdir(work);
  say('the bundle of the command');
  await bundleCommand();
  const service = await startEmbeddedService({ dataFolder: join(work, 'storage') });
  const door = await openDoorman(service.baseUrl);
  try {
    const token = join(work, 'token');
    const scopes = ['assets:list', 'assets:read', 'assets:write'];
    await writeFile(token, service.control.makeAccessToken(scopes), { mode: 0o600 });
    const env = plainEnvironment({
      ...nodeLimits,
      TILELIFT_SERVICE_API: door.address,
      TILELIFT_SERVICE_SIGN_IN: service.authUrl,
    });
    const script = join(bundleFolder, 'tilelift.js');
    const command = (args: readonly string[]) => [script, ...args, ...['--home', join(work, 'home')]];
    await promisify(execFile)(process.execPath, command(['sign-in', '--token-file', token]), { env });
    const start = (args: readonly string[]) => spawn(process.execPath, args, { env, stdio: 'ignore' });
    const commandLines = { assets: command(['assets', 'list']), watch: command(['watch']) };
    const bare = ['-e', `fetch('${door.address}')`];
    say(`${starts} starts`);
    const rounds = await timeStarts(starts, door, { ...commandLines, bare }, start);
    say(`${files} files to watch`);
    const rules = await watchedTrees(work, files);
    const watch = command(['watch', '--rules', rules, '--json']);
    const measureWatching = async () =>
      restOf(spawn(process.execPath, watch, { env, ...piped }), idleSeconds);
    const freshFigures = await measureWatching();
    const repeatedFigures = await measureWatching();
    const idleFigures = await restOf(spawn(process.execPath, ['-e', idler], { env, ...piped }), 1);
    const firstRequestMs = {
      assets: median(rounds.assets),
      watch: median(rounds.watch),
      bare: median(rounds.bare),
    };
    const ratio = firstRequestMs.watch / firstRequestMs.bare;
    return {
      ...{ firstRequestMs, ratio, rounds, watchedFiles: files },
      watching: { fresh: freshFigures, again: repeatedFigures },
      bareMb: idleFigures.residentMb,
    };
  } finally {
    door.stop();
    await service.stop();
  }
}

const piped: SpawnOptions = { stdio: ['ignore', 'pipe', 'ignore'] };
/** Prints the service's ready message and idles. */
const idler = `console.log('"watching"'); setInterval(() => {}, 1e9)`;

/** Runs in turns. The first round warms the disk cache and creates the home folder, so it doesn't count. */
async function timeStarts(
  count: number,
  door: Doorman,
  calls: Readonly<Record<Starter, readonly string[]>>,
  start: (args: readonly string[]) => ChildProcess,
): Promise<Readonly<Record<Starter, readonly number[]>>> {
  const times: Record<Starter, number[]> = { assets: [], watch: [], bare: [] };
  for (let round = 0; round <= count; round++) {
    for (const name of rotate(starters, round)) {
      const firstRequest = door.nextRequest();
      const startedAt = performance.now();
      const child = start(calls[name]);
      const childClosed = once(child, 'close').then(() => Number.NaN);
      const ms = (await Promise.race([firstRequest, childClosed])) - startedAt;
      if (Number.isNaN(ms)) throw new Error(`${name} ended without a request`);
      if (round > 0) times[name].push(ms);
      child.kill('SIGTERM');
      await childClosed;
    }
  }
  return times;
}
