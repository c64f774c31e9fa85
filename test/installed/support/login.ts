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
 * What a person's login has: a message bus, an unlocked keychain, a display. It says its environment, and
 * ends with its input.
 */
const desktop = [
  'printf "%s\\n" "$KEYCHAIN_PASSWORD" | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1',
  'unset KEYCHAIN_PASSWORD',
  'env -0',
  'exec cat >/dev/null',
].join('\n');

/** A person at this machine, from login to logout. */
export interface Login {
  /** Runs a command to its end and gives what it says. Rejects when it fails. */
  run(command: string, ...args: readonly string[]): Promise<string>;
  /** Starts a program that stays. */
  start(command: string, ...args: readonly string[]): ChildProcess;
  /** Ends the session and all that runs in it. */
  logout(): Promise<void>;
}

/** Logs the person in: nothing of the environment of the tests comes along but what is given. */
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

/**
 * What the session says of its environment. Its output is read on, so that nothing in it ever waits for a
 * reader.
 */
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
