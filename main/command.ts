/**
 * The command `tilelift`. Plain Node runs the sources; packages contain a bundle
 * (docs/decisions/012-command-line.md).
 */
import { homedir } from 'node:os';
import process from 'node:process';
import manifest from '../package.json' with { type: 'json' };
import { runProgram } from './cli/commands/program.ts';
import { keepYoungSmall } from './free-memory.ts';
import { takeEnvironment } from './redact.ts';

/** Vite bundles the workers next to this file. */
const isBundle = Boolean(import.meta.env);
const worker = (name: string) =>
  isBundle ? new URL(`./${name}.js`, import.meta.url) : new URL(`./workers/${name}.ts`, import.meta.url);

keepYoungSmall();
const stopController = new AbortController();
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => {
    // Exit at once: the journal has everything important.
    if (stopController.signal.aborted) process.exit(code);
    stopController.abort(signal);
  });
// If the reader is gone, continue for the exit code.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const code = await runProgram({
  args: process.argv.slice(2),
  env: takeEnvironment(process.env),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  platform: process.platform,
  userHome: homedir(),
  workers: { upload: worker('upload-worker'), scan: worker('scan-worker') },
  version: manifest.version,
  stop: stopController.signal,
});
// Flush the output, then exit even if a drive hangs.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
);
process.exit(code);
