import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Unlocks a keychain for this session, runs the command, and removes the session's files. */
const unlockAndRun = [
  'printf "test\\n" | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1',
  '"$@"',
  'code=$?',
  'rm -rf "$TILELIFT_SESSION_HOME"',
  'exit $code',
].join('\n');

/**
 * Wraps a command in its own desktop session: message bus, keychain, virtual display, and folders for user
 * settings, so that the user's keychain and default programs don't change.
 * @param {string[]} command
 * @returns {{ run: string[], env: Record<string, string> }}
 */
export function desktopSession(command) {
  if (process.platform !== 'linux') return { run: command, env: {} };
  const home = mkdtempSync(join(tmpdir(), 'tilelift-session-'));
  return {
    run: [
      ...['dbus-run-session', '--', 'bash', '-c', unlockAndRun, 'session'],
      ...['xvfb-run', '-a', '--server-args=-screen 0 1600x1000x24'],
      ...command,
    ],
    env: {
      XDG_CURRENT_DESKTOP: 'GNOME',
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_CACHE_HOME: join(home, 'cache'),
      TILELIFT_SESSION_HOME: home,
    },
  };
}

const printEnvironment =
  "console.log(JSON.stringify(process.env)); process.stdin.resume().on('end', () => process.exit())";

/**
 * Starts a desktop session that lasts until `end`.
 * @returns {Promise<{ env: Record<string, string>, end: () => Promise<void> }>} `env`: variables that make a
 * program part of the session; empty except on Linux
 */
export async function startDesktopSession() {
  if (process.platform !== 'linux') return { env: {}, end: async () => undefined };
  const { run, env } = desktopSession([process.execPath, '-e', printEnvironment]);
  const [command = '', ...args] = run;
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const childExited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const variables = Object.entries(JSON.parse(line));
    return {
      env: Object.fromEntries(variables.filter(([name, value]) => process.env[name] !== value)),
      end: async () => {
        child.stdin.end();
        await childExited;
      },
    };
  }
  throw new Error(`The desktop session did not start: ${command} ended with code ${(await childExited)[0]}`);
}
