import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Unlocks a keychain made for this session alone, runs the command, and removes what the session kept. */
const unlockAndRun = [
  'printf "test\\n" | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1',
  '"$@"',
  'code=$?',
  'rm -rf "$TILELIFT_SESSION_HOME"',
  'exit $code',
].join('\n');

/**
 * The command inside a desktop session of its own: message bus, keychain, virtual display, and its own
 * folders for what desktops keep, so that the person's keychain and default programs stay as they are.
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
