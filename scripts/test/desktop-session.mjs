/** Unlocks a keychain made for this session alone, then becomes the command. */
const unlockAndRun =
  'printf "test\\n" | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1; exec "$@"';

/**
 * The command inside a desktop session of its own: message bus, keychain and, on Linux without a screen, a virtual display.
 * @param {string[]} command
 * @returns {string[]}
 */
export function desktopSession(command) {
  if (process.platform !== 'linux') return command;
  const display = ['xvfb-run', '-a', '--server-args=-screen 0 1600x1000x24'];
  return [
    'env',
    'XDG_CURRENT_DESKTOP=GNOME',
    'dbus-run-session',
    '--',
    'bash',
    '-c',
    unlockAndRun,
    'keychain',
    ...display,
    ...command,
  ];
}
