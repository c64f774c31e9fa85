import { type ChildProcess, spawn } from 'node:child_process';
import type { Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { anyProgramSchema, type Program, type Programs } from '../shared/schemas/settings.ts';
import { TileliftError } from './errors.ts';
import { isWithin } from './files/drive.ts';
import { isProtectedOnPosix } from './private-files.ts';
import { redactedStart } from './redact.ts';
import { accessOnWindows } from './windows-file.ts';
import { isProtectedOnWindows } from './windows-protection.ts';

/** A program on this computer, whose system defines absolute paths. */
export const programSchema = anyProgramSchema.extend({
  file: anyProgramSchema.shape.file.refine(isAbsolute),
});

export const programsSchema = z.object({
  success: programSchema.nullable(),
  failure: programSchema.nullable(),
});

export type { Program, Programs };

/** Values of the placeholders; null becomes an empty text. */
export interface ProgramFacts {
  readonly assetId: number | null;
  /** Absolute, so that it never looks like a switch. */
  readonly source: string;
  readonly receipt: string | null;
  readonly outcome: string;
}

const placeholder = /\{(asset-id|source|receipt|outcome)\}/g;

/** Fills in placeholders once. Each argument stays one, whatever a name contains. Pure. */
export function filledArguments(program: Program, facts: ProgramFacts): readonly string[] {
  const values: Readonly<Record<string, string>> = {
    'asset-id': facts.assetId === null ? '' : String(facts.assetId),
    source: facts.source,
    receipt: facts.receipt ?? '',
    outcome: facts.outcome,
  };
  return program.arguments.map((argument) =>
    argument.replace(placeholder, (_whole, name) => values[name] ?? ''),
  );
}

/** The variables that programs need; none of them reveals accounts. */
const passedOn = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
  ...['SystemRoot', 'SystemDrive', 'windir', 'PATHEXT', 'USERPROFILE', 'USERNAME', 'APPDATA', 'LOCALAPPDATA'],
  ...['ProgramData', 'ProgramFiles', 'DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR'],
];

export function programEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
}

/** Bytes to keep; the rest is read and discarded, so that the program isn't blocked. */
const maxOutput = 16 * 1024;
const shownOutput = 2_000;
/** Between SIGTERM and SIGKILL, ms. */
const graceMs = 2_000;

/**
 * Refuses a program, or a script as its first argument, that other users could replace: in a watched or
 * target folder (`folders`), or writable by another user, including parent folders and links. On Windows,
 * unreadable access lists also refuse it.
 *
 * @throws TileliftError `program-missing`, `program-in-watched-folder`, `program-writable-by-others`
 */
export async function refuseReplaceableProgram(
  { file, arguments: [script = ''] }: Program,
  folders: readonly string[],
  access: typeof accessOnWindows | null = process.platform === 'win32' ? accessOnWindows : null,
): Promise<void> {
  const realFile = await realpath(file).catch((cause) => {
    throw new TileliftError('program-missing', { subject: file, cause });
  });
  await refuseReplaceable(file, realFile, folders, access);
  const realScript = isAbsolute(script) ? await realpath(script).catch(() => null) : null;
  if (realScript !== null) await refuseReplaceable(script, realScript, folders, access);
}

async function refuseReplaceable(
  file: string,
  realFile: string,
  folders: readonly string[],
  access: typeof accessOnWindows | null,
): Promise<void> {
  for (const folder of folders) {
    const place = await realpath(folder).catch(() => folder);
    if (isWithin(realFile, place) || isWithin(file, folder))
      throw new TileliftError('program-in-watched-folder', { subject: file });
  }
  if (access !== null) {
    // A link on the way makes the access lists unreadable, which refuses the program.
    for (const path of new Set([file, realFile])) await refuseWritableOnWindows(path, access);
    return;
  }
  const user = process.getuid?.() ?? root;
  for (const { path, stats } of await stepsTo(file)) {
    // In a sticky folder, other users can create files but not replace ours.
    const isSticky = (stats.mode & 0o1000) !== 0 && path !== realFile && path !== dirname(realFile);
    // A link has no mode of its own. On macOS, administrators may write to /Applications.
    const isAdmins = process.platform === 'darwin' && stats.gid === 80 && (stats.mode & 0o002) === 0;
    const mode = isSticky || isAdmins || stats.isSymbolicLink() ? 0 : stats.mode;
    if (!isProtectedOnPosix({ uid: stats.uid, mode }, root, user))
      throw new TileliftError('program-writable-by-others', { subject: path });
  }
}

async function refuseWritableOnWindows(path: string, access: typeof accessOnWindows): Promise<void> {
  const { user, sddl, folders } = await access(path).catch((cause) => {
    throw new TileliftError('program-writable-by-others', { subject: path, cause });
  });
  const [folderAccess = '', ...ancestorAccess] = folders;
  let place = path;
  // A program may load any file in its own folder, so that folder is checked as strictly as a file.
  const isSafe = [
    isProtectedOnWindows(sddl, 'file', user),
    isProtectedOnWindows(folderAccess, 'file', user),
    ...ancestorAccess.map((list) => isProtectedOnWindows(list, 'folder', user)),
  ];
  for (const safe of isSafe) {
    if (!safe) throw new TileliftError('program-writable-by-others', { subject: place });
    place = dirname(place);
  }
}

const root = 0;
const maxLinks = 40;

/**
 * Returns the file with every folder and link on its path, because each of their writers controls the file.
 */
async function stepsTo(file: string): Promise<readonly { path: string; stats: Stats }[]> {
  const steps: { path: string; stats: Stats }[] = [];
  const names = resolve(file).split(sep);
  let place: string = sep;
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const path = join(place, name);
    const stats = await lstat(path);
    steps.push({ path, stats });
    if (!stats.isSymbolicLink()) place = path;
    else if (links++ < maxLinks) {
      const target = await readlink(path);
      if (isAbsolute(target)) place = sep;
      names.unshift(...target.split(sep));
    }
  }
  return steps;
}

/**
 * Runs a program without a shell or input, in a minimal environment. Kills it with its children after
 * `limitMs` or when `signal` aborts.
 *
 * @throws TileliftError `program-not-started`
 * @throws the signal's reason
 */
export async function runProgram(
  program: Program,
  facts: ProgramFacts,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const { file } = program;
  const isWindows = process.platform === 'win32';
  const child = spawn(file, filledArguments(program, facts), {
    shell: false,
    cwd: dirname(file),
    env: programEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // Its own process group, so that its children can be killed.
    detached: !isWindows,
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', (cause) => reject(new TileliftError('program-not-started', { subject: file, cause })));
  child.once('close', resolve);
  const chunks: Buffer[] = [];
  let outputBytes = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      if (outputBytes < maxOutput) chunks.push(chunk.subarray(0, maxOutput - outputBytes));
      outputBytes += chunk.length;
    });
  let timedOut = false;
  let killTimer: NodeJS.Timeout | undefined;
  const end = () => {
    kill(child, 'SIGTERM');
    killTimer = setTimeout(() => kill(child, 'SIGKILL'), graceMs);
    killTimer.unref();
  };
  const limit = setTimeout(() => {
    timedOut = true;
    end();
  }, limitMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    const exitCode = await promise;
    signal.throwIfAborted();
    const output = redactedStart(Buffer.concat(chunks).toString('utf8'), shownOutput);
    return { exitCode: timedOut ? null : exitCode, timedOut, output };
  } finally {
    clearTimeout(limit);
    clearTimeout(killTimer);
    signal.removeEventListener('abort', end);
  }
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}
