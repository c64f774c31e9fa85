import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Person } from './person.ts';
import { endProcessesOf } from './processes.ts';

const execute = promisify(execFile);

/**
 * A login session with message bus, unlocked keychain and display. It prints its environment, and ends when
 * its input ends.
 */
const desktop = [
  'printf "%s\\n" "$KEYCHAIN_PASSWORD" | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1',
  'unset KEYCHAIN_PASSWORD',
  'env -0',
  'exec cat >/dev/null',
].join('\n');

/** A logged-in user, from login to logout. */
export interface Login {
  /** Runs a command and returns its output. Rejects if it fails. */
  run(command: string, ...args: readonly string[]): Promise<string>;
  /** Starts a program that keeps running. */
  start(command: string, ...args: readonly string[]): ChildProcess;
  /** Ends the session and all its processes. */
  logout(): Promise<void>;
}

/** Logs the user in, without the environment of the tests except the given variables. */
export async function login(person: Person, environment: Readonly<Record<string, string>>): Promise<Login> {
  const { uid, gid, home, name } = person;
  const runtime = await mkdtemp(join(tmpdir(), 'tilelift-login-'));
  await chown(runtime, uid, gid);
  const bare = {
    HOME: home,
    USER: name,
    LOGNAME: name,
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    XDG_RUNTIME_DIR: runtime,
    XDG_CURRENT_DESKTOP: 'GNOME',
    XDG_SESSION_TYPE: 'x11',
    ...environment,
  };
  const asPerson = { uid, gid, cwd: home };
  const session = spawn(
    'dbus-run-session',
    [...['--', 'xvfb-run', '-a', '--server-args=-screen 0 1280x900x24', '--'], ...['bash', '-c', desktop]],
    { ...asPerson, env: { ...bare, KEYCHAIN_PASSWORD: 'a password' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const env = await environmentOf(session);
  return {
    run: async (command, ...args) =>
      (await execute(command, args, { ...asPerson, env, timeout: 60_000 })).stdout,
    start: (command, ...args) => spawn(command, args, { ...asPerson, env, stdio: 'ignore' }),
    logout: async () => {
      const sessionEnd = once(session, 'close');
      session.stdin?.end();
      await sessionEnd;
      await endProcessesOf(uid);
      await rm(runtime, { recursive: true, force: true });
    },
  };
}

/** The session's printed environment. Keeps reading its output, so that it never blocks. */
function environmentOf(session: ChildProcess): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    let output = '';
    session.on('close', () => reject(new Error(`The session ended before it began: ${output}`)));
    session.stdout?.on('data', (chunk) => {
      output += String(chunk);
      const entries = output
        .split('\0')
        .slice(0, -1)
        .map((line) => {
          const at = line.indexOf('=');
          return [line.slice(0, at), line.slice(at + 1)] as const;
        });
      if (output.endsWith('\0') && entries.some(([key]) => key === 'DISPLAY'))
        resolve(Object.fromEntries(entries));
    });
  });
}
