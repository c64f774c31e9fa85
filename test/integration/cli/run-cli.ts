import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { runProgram } from '../../../main/cli/commands/program.ts';
import { jsonLineSchema } from '../../../main/cli/json-lines.ts';
import { currentSpeech, speak } from '../../../main/say.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { bundleFolder } from '../../../scripts/cli/bundle.mjs';
import { cityText } from '../../deliveries/data.ts';
import type { EmbeddedService, ServiceSettings } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** The command in its own process, with the test's home folder. */

/** Bundled by the project's global setup. */
export const script = join(bundleFolder, 'tilelift.js');

interface EndedRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the output or stderr contains the text. Rejects if the process ends before. */
  says(text: string | RegExp): Promise<string>;
  readonly ended: Promise<EndedRun>;
}

export interface CliHouse {
  readonly service: EmbeddedService;
  readonly folder: string;
  readonly home: string;
  readonly tokenFile: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>, at?: string): RunningCommand;
  /** Runs a command in this process, which is faster; with variables, in a process of its own. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<EndedRun>;
  signIn(): Promise<void>;
}

const variables = { LC_ALL: 'C.UTF-8', TILELIFT_POLL_MS: '100', TILELIFT_SETTLE_MS: '1000' };

/** Starts the command in a folder that is also its user data folder. */
export function startCommand(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): RunningCommand {
  const { PATH = '', NODE_OPTIONS = '', NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: { ...{ PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, HOME: folder }, ...variables, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const listener of listeners) listener();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const listener of listeners) listener();
  });
  const commandEnded = once(child, 'close').then(([code]: (number | null)[]) => {
    return checked(args, { code: code ?? null, stdout, stderr });
  });
  return {
    child,
    ended: commandEnded,
    says: (text) =>
      new Promise((resolve, reject) => {
        const checkOutput = () => {
          const output = `${stdout}\n${stderr}`;
          const hasText = typeof text === 'string' ? output.includes(text) : text.test(output);
          if (!hasText) return;
          listeners.delete(checkOutput);
          resolve(output);
        };
        listeners.add(checkOutput);
        void commandEnded.then(() =>
          reject(new Error(`it ended before it said ${text}:\n${stdout}\n${stderr}`)),
        );
        checkOutput();
      }),
  };
}

function checked(args: readonly string[], result: EndedRun): EndedRun {
  if (args.includes('--json')) for (const line of jsonLines(result.stdout)) jsonLineSchema.parse(line);
  return result;
}

const worker = (name: string) => pathToFileURL(join(bundleFolder, name));

async function runHere(
  args: readonly string[],
  userHome: string,
  env: Readonly<Record<string, string>>,
): Promise<EndedRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = Promise.all([text(stdout), text(stderr)]);
  const previousSpeech = currentSpeech();
  const code = await runProgram({
    ...{ args, userHome, env: { ...variables, ...env }, stdin: new PassThrough().end(), stdout, stderr },
    ...{ platform: process.platform, version: manifest.version, stop: new AbortController().signal },
    workers: { upload: worker('upload-worker.js'), scan: worker('scan-worker.js') },
  });
  // Other tests in this process expect the usual texts.
  speak(previousSpeech);
  for (const stream of [stdout, stderr]) stream.end();
  const [out, errors] = await texts;
  return checked(args, { code, stdout: out, stderr: errors });
}

/** The embedded service and an empty home folder, both removed after the test. */
export async function cliHouse(settings: Partial<ServiceSettings> = {}): Promise<CliHouse> {
  const folder = temporaryFolder();
  const service = await startEmbeddedService({ tilingMs: 300, ...settings });
  const home = join(folder, 'home');
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']));
  await chmod(tokenFile, 0o600);
  const running = new Set<RunningCommand['child']>();
  onTestFinished(async () => {
    for (const child of running) child.kill('SIGKILL');
    await service.stop();
  });

  const addresses = { TILELIFT_SERVICE_API: service.baseUrl, TILELIFT_SERVICE_SIGN_IN: service.authUrl };

  function start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    at: string = home,
  ): RunningCommand {
    const command = startCommand([...args, '--home', at], folder, { ...addresses, ...env });
    running.add(command.child);
    void command.ended.then(() => running.delete(command.child));
    return command;
  }

  async function run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<EndedRun> {
    if (!env) return runHere([...args, '--home', home], folder, addresses);
    const { child, ended: commandEnded } = start(args, env);
    child.stdin.end();
    return commandEnded;
  }

  return {
    ...{ service, folder, home, tokenFile, start, run },
    signIn: async () => {
      const { code, stderr } = await run(['sign-in', '--token-file', tokenFile]);
      if (code !== 0) throw new Error(stderr);
    },
  };
}

/** The same, signed in with an access token. */
export async function signedInHouse(settings?: Partial<ServiceSettings>): Promise<CliHouse> {
  const house = await cliHouse(settings);
  await house.signIn();
  return house;
}

/** Makes storage accept nothing until `clearFaults`, or only the first requests. */
export function holdStorage({ service }: CliHouse, acceptedRequests = 0): void {
  const match = { room: 'storage', method: 'PUT', after: acceptedRequests, times: 10_000 } as const;
  service.control.addFault({ match, action: { kind: 'hold' } });
}

/** Writes a small city model into a folder and returns its path. */
export async function smallCity(folder: string, name = 'city.gml', bytes = 0): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, cityText(bytes));
  return path;
}

/** The last JSON line: the result. */
export const lastLine = (stdout: string) => jsonLines(stdout).at(-1);

/** Parses JSON lines. Throws for an invalid line; `ended` also validates them against the schema. */
export function jsonLines(text: string): readonly Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
