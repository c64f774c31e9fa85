/**
 * The command `tilelift`: hands in arguments, environment, streams and signals, and ends with what came of
 * it. In plain Node it runs from its sources as they are; what is shipped is bundled
 * (docs/decisions/012-command-line.md).
 */
import { homedir } from 'node:os';
import process from 'node:process';
import manifest from '../../package.json' with { type: 'json' };
import { keepYoungSmall } from '../free-memory.ts';
import { takeEnvironment } from '../redact.ts';
import { runProgram } from './program.ts';

/** Set by Vite, which bundles the workers beside this file. */
const isBundle = Boolean(import.meta.env);
const worker = (name: string) =>
  isBundle ? new URL(`./${name}.js`, import.meta.url) : new URL(`../workers/${name}.ts`, import.meta.url);

keepYoungSmall();
const stopping = new AbortController();
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => {
    // Whoever asks twice does not wait; all that counts is in the journal.
    if (stopping.signal.aborted) process.exit(code);
    stopping.abort(signal);
  });
// Where nobody reads any more, what is left to be said is the exit code.
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
  stop: stopping.signal,
});
// Whatever a drive keeps waiting does not keep the process; what was written is written first.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
);
process.exit(code);
