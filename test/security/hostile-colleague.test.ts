import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WatchRule } from '../../main/watch/model/rule.ts';
import { vaultKeyVariable, type WatcherInput } from '../../tools/soak/watcher-messages.ts';
import { aWatchRule } from '../a-watch-rule.ts';
import { anyFile } from '../deliveries/data.ts';
import type { EmbeddedService } from '../service/model.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { HostileInput } from './support/hostile-colleague.ts';

/**
 * A process of another user with write access to watched folders attacks a complete Tilelift with everything
 * in the threat model. 12 seconds; `TILELIFT_HOSTILE_MINUTES=2` for the long form.
 */

const minutes = Number(process.env.TILELIFT_HOSTILE_MINUTES ?? 0.2);
const attackMs = minutes * 60_000;
/** After the attack, honest data must keep arriving: longest gap in ms. */
const patienceMs = 240_000;
/** Limit of the whole test in ms on a busy machine. */
const longestMs = attackMs + 25 * 60_000;
const maxMemory = 700 * 1024 * 1024;
/** The watching and the attacking user. */
const person = 1;
const colleague = 65_534;
const watcherFile = join(import.meta.dirname, '../../tools/soak/watcher-process.ts');
const workers = join(import.meta.dirname, '../../main/workers');

let root: string;
let service: EmbeddedService;
const startedProcesses: ChildProcess[] = [];

beforeEach(async () => {
  root = temporaryFolder();
  await chmod(root, 0o755);
  service = await startEmbeddedService({ tilingMs: 50 });
});
afterEach(async () => {
  for (const child of startedProcesses) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const childExited = once(child, 'exit');
    child.kill('SIGKILL');
    await childExited;
  }
  await service.stop();
});

/**
 * Node gives new objects twice the space that Electron does (134 and 67 MB at most, measured with 24 and 42).
 */
const roomForNew = '--max-semi-space-size=32';

/** Runs as another user whose files are writable for all, like a colleague on a share. */
function start(user: number, args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn('/bin/sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, ...args], {
    uid: user,
    gid: user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: root, ...environment },
  });
  child.stdout?.resume();
  startedProcesses.push(child);
  return child;
}

/** Compiles Tilelift as in a release: each thread that strips types takes 14 MB more. */
async function compiled(): Promise<NodeJS.ProcessEnv> {
  const environment = { NODE_COMPILE_CACHE: await folderOf(person, 0o700, 'compiled') };
  const files = [watcherFile, ...['upload-worker', 'scan-worker'].map((name) => join(workers, `${name}.ts`))];
  // Each refuses to run like this after everything is compiled.
  const script = `await Promise.allSettled(${JSON.stringify(files)}.map((file) => import(file))); process.exit()`;
  const scriptExited = once(start(person, ['--input-type=module', '-e', script], environment), 'exit');
  expect(await scriptExited).toEqual([0, null]);
  return environment;
}

async function folderOf(user: number, mode: number, ...names: readonly string[]): Promise<string> {
  const path = join(root, ...names);
  await mkdir(path, { recursive: true });
  await chown(path, user, user);
  await chmod(path, mode);
  return path;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** All entries below with kind, owner, times and content. */
async function treeOf(top: string): Promise<readonly string[]> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mode, uid, nlink, mtimeMs } = await lstat(path);
    const holds = entry.isFile()
      ? sha256(await readFile(path))
      : entry.isSymbolicLink()
        ? await readlink(path)
        : '';
    return [relative(top, path), mode, uid, nlink, mtimeMs, holds].join(' ');
  });
  return (await Promise.all(lines)).toSorted();
}

const marker = 'nobody else may see this ';

async function keepSecrets(home: string) {
  const secrets: { path: string; size: number; mtimeMs: number }[] = [];
  for (const [name, repeats] of [
    ['keys/secret.tif', 400],
    ['keys/id_ed25519', 20],
    ['letters/letter.mtl', 2_000],
  ] as const) {
    const path = join(home, name);
    const text = marker.repeat(repeats);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await utimes(path, 1_700_000_000, 1_700_000_000);
    secrets.push({ path, size: text.length, mtimeMs: 1_700_000_000_000 });
  }
  for (const path of [...secrets.map(({ path }) => path), join(home, 'keys'), join(home, 'letters')])
    await chown(path, person, person);
  return secrets;
}

/** Honest sources by name: SHA-256 by key. They appear complete. */
const honest = new Map<string, ReadonlyMap<string, string>>();

async function writeHonest(folder: string, kind: string, number: number): Promise<void> {
  const name = `honest-${kind}-${number}`;
  const staging = await folderOf(person, 0o755, 'staging', name);
  const sums = new Map<string, string>();
  for (const key of ['a.tif', 'sub/b.tif', 'sub/deep/c.txt']) {
    const bytes = anyFile(key, 2_000 + 2 * number);
    await mkdir(dirname(join(staging, key)), { recursive: true });
    await writeFile(join(staging, key), bytes);
    sums.set(key, sha256(bytes));
  }
  for (const path of ['sub', 'sub/deep', ...sums.keys()]) await chown(join(staging, path), person, person);
  honest.set(name, sums);
  await rename(staging, join(folder, name));
}

async function memoryOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(text)?.[1]) * 1024;
}

async function findUploaded(): Promise<Map<string, Map<string, string>[]>> {
  const uploadedByName = new Map<string, Map<string, string>[]>();
  for (const { id, name, status } of service.control.assets()) {
    if (status !== 'COMPLETE') continue;
    const prefix = `sources/${id}/`;
    const objects = await service.control.objects(prefix);
    const sums = new Map(objects.map(({ key, sha256 }) => [key.slice(prefix.length), sha256]));
    uploadedByName.set(String(name), [...(uploadedByName.get(String(name)) ?? []), sums]);
  }
  return uploadedByName;
}

/** Fails and names the missing sources when nothing more arrives. */
async function untilAllArrived(): Promise<void> {
  for (let missing = await missingOnes(); missing.length > 0; missing = await missingOnes()) {
    const previous = missing.length;
    const options = { timeout: patienceMs, interval: 500, message: missing.join(', ') };
    await expect.poll(async () => (await missingOnes()).length, options).toBeLessThan(previous);
  }
}

async function missingOnes(): Promise<readonly string[]> {
  const uploadedByName = await findUploaded();
  return [...honest.keys()].filter((name) => !uploadedByName.has(name));
}

/** Keys of objects with outside content. */
async function leaked(secretSums: ReadonlySet<string>): Promise<readonly string[]> {
  const results: string[] = [];
  for (const { key, sha256: sum, size } of await service.control.objects()) {
    if (secretSums.has(sum)) results.push(key);
    else if (size < 1024 * 1024 && size > 0) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of service.control.readObject(key)) chunks.push(chunk);
      if (Buffer.concat(chunks).includes(marker)) results.push(key);
    }
  }
  return results;
}

function rulesOn(sharedFolder: string, loneFolder: string): WatchRule[] {
  const unattendedRule = { whenTooLong: 'hold', sourceType: 'RASTER_IMAGERY', assetType: 'IMAGERY' } as const;
  return [
    aWatchRule({
      ...unattendedRule,
      id: 'shared',
      folder: sharedFolder,
      shared: true,
      afterSuccess: { kind: 'move', folder: 'done' },
    }),
    aWatchRule({ ...unattendedRule, id: 'alone', folder: loneFolder }),
  ];
}

it('S104: a colleague with write access to watched folders reads, moves and sends nothing outside, and honest data arrives', {
  timeout: longestMs,
}, async ({ skip }) => {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0)
    skip('takes two users of this computer, which only root can be in turn; on Linux');
  const home = await folderOf(person, 0o700, 'home');
  const secrets = await keepSecrets(home);
  const autostart = await folderOf(person, 0o700, 'home', '.config', 'autostart');
  const [sharedFolder, loneFolder] = [
    await folderOf(person, 0o777, 'shared'),
    await folderOf(person, 0o777, 'alone'),
  ];
  await folderOf(person, 0o755, 'staging');
  const treeBefore = await treeOf(home);
  const watcherInput: WatcherInput = {
    folder: await folderOf(person, 0o700, 'tilelift'),
    baseUrl: service.baseUrl,
    authUrl: service.authUrl,
    rules: rulesOn(sharedFolder, loneFolder),
    takeExisting: true,
    timing: {
      settleMs: { local: 300, network: 300 },
      scanMs: { local: 3_000, network: 3_000 },
      gatherMs: 20,
      presenceMs: 500,
      renewLeaseMs: 1_000,
      staleLeaseMs: 3_000,
    },
  };
  const watcher = start(person, [roomForNew, watcherFile, JSON.stringify(watcherInput)], {
    [vaultKeyVariable]: randomBytes(32).toString('hex'),
    ...(await compiled()),
  });
  if (watcher.stdout) await once(watcher.stdout, 'data');
  const attack: HostileInput = { folders: [sharedFolder, loneFolder], secrets, autostart, ms: attackMs };
  const attacker = start(colleague, [
    join(import.meta.dirname, 'support/hostile-colleague.ts'),
    JSON.stringify(attack),
  ]);
  const attackerExited = once(attacker, 'exit');

  for (let number = 0; attacker.exitCode === null && number < 30 * Math.max(1, minutes); number++) {
    await writeHonest(sharedFolder, 'shared', number);
    await writeHonest(loneFolder, 'alone', number);
    await Promise.race([attackerExited, pause(2_000)]);
  }
  expect(await attackerExited).toEqual([0, null]);

  await untilAllArrived();
  const uploadedByName = await findUploaded();
  for (const [name, sums] of honest) expect([name, uploadedByName.get(name)]).toEqual([name, [sums]]);
  expect(await treeOf(home)).toEqual(treeBefore);
  expect(
    await leaked(new Set(await Promise.all(secrets.map(async ({ path }) => sha256(await readFile(path)))))),
  ).toEqual([]);
  expect(watcher.exitCode).toBeNull();
  expect(await memoryOf(watcher.pid)).toBeLessThan(maxMemory);
});
