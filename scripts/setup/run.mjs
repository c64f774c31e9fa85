import { spawn } from 'node:child_process';

/**
 * Runs a command to its end. While it runs, a wish to end goes to it, and we end after it: so that what it leaves behind can
 * be tidied.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { quiet?: boolean }} [options] `quiet`: output is kept and given back instead of shown.
 * @returns {Promise<{ code: number, output: string }>} code 127 when the command does not exist
 */
export function run(command, args, options = {}) {
  const { quiet = false, ...rest } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit', ...rest });
    // Ctrl+C reaches the child by itself, since it shares our terminal.
    const wait = () => {};
    const pass = () => child.kill('SIGTERM');
    process.on('SIGINT', wait).on('SIGTERM', pass);
    const done = (/** @type {{ code: number, output: string }} */ result) => {
      process.off('SIGINT', wait).off('SIGTERM', pass);
      resolve(result);
    };
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => done({ code: 127, output: error.message }));
    child.on('close', (code, signal) => done({ code: code ?? (signal ? 128 : 1), output }));
  });
}
