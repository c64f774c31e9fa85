import { spawn } from 'node:child_process';

/**
 * Runs a command. Forwards SIGINT and SIGTERM and waits for its end, so that it can clean up.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { quiet?: boolean, maxMs?: number }} [options] `quiet`:
 * returns the output instead of showing it. `maxMs`: then ends the command and its children.
 * @returns {Promise<{ code: number, output: string }>} code 127 if the command doesn't exist, 124 after
 * `maxMs`
 */
export function run(command, args, options = {}) {
  const { quiet: isQuiet = false, maxMs, ...spawnOptions } = options;
  return new Promise((resolve) => {
    // A process group makes it possible to end its children too, but Ctrl+C doesn't reach it by itself.
    const isDetached = maxMs !== undefined && process.platform !== 'win32';
    const child = spawn(command, args, {
      stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      detached: isDetached,
      ...spawnOptions,
    });
    const wait = () => isDetached && end(child, 'SIGINT');
    const passSignal = () => child.kill('SIGTERM');
    process.on('SIGINT', wait).on('SIGTERM', passSignal);
    let isLate = false;
    const limit = maxMs === undefined ? undefined : setTimeout(tooLong, maxMs);
    const resolveOnce = (/** @type {{ code: number, output: string }} */ result) => {
      clearTimeout(limit);
      process.off('SIGINT', wait).off('SIGTERM', passSignal);
      resolve(isLate ? { ...result, code: 124 } : result);
    };
    function tooLong() {
      isLate = true;
      if (isDetached) end(child, 'SIGKILL');
      else child.kill('SIGKILL');
    }
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolveOnce({ code: 127, output: error.message }));
    child.on('close', (code, signal) => resolveOnce({ code: code ?? (signal ? 128 : 1), output }));
  });
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function end(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
