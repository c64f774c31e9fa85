/**
 * `npm start -- --check PATH …`: what is found in data, without account, network or window. Results on
 * standard output, all else on standard error. Exit code 0 clean, 1 findings, 2 bad input, 3 not all looked
 * at; docs/check.md.
 */

import { languagesOf } from '../../main/cli/languages.ts';
import { systemClock } from '../../main/outside.ts';
import { catalogues, errorWords, sayPhrase, speak } from '../../main/say.ts';
import { exitCodeOf, linesOf } from '../../main/source/check/check-report.ts';
import { checkSources } from '../../main/source/check/check-sources.ts';
import { createInspector } from '../../main/source/inspector.ts';
import { scanWorkerSource } from '../../main/source/walk/scan-workers.ts';
import { chooseSpeech } from '../../strings/languages.ts';
import { type CheckArguments, readCheckArguments } from './check-arguments.ts';

const terminal = process.platform === 'win32' ? 'windows' : 'posix';

// Where nobody reads any more, what is left to be said is the exit code.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
speak(chooseSpeech(catalogues, 'system', languagesOf(process.env)));
const args = readCheckArguments(process.argv.slice(2));
try {
  // Whatever a drive keeps waiting does not keep the process.
  process.exit('wrong' in args ? await refuse(sayPhrase(args.wrong)) : await check(args));
} catch (thrown) {
  process.stderr.write(`${String(thrown)}\n`);
  // Node's own 1 would say that something was found.
  process.exit(3);
}

async function check({ json, ...wishes }: CheckArguments): Promise<number> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  const inspector = createInspector({ clock: systemClock, worker: scanWorkerSource, signal: stop.signal });
  await tell(sayPhrase({ key: 'check.begun', values: { paths: { names: wishes.paths } } }));
  const report = await checkSources(
    wishes,
    {
      inspect: (paths) => inspector.inspect(paths),
      survey: inspector.survey,
      tell: showProgress,
    },
    stop.signal,
  );
  if (process.stderr.isTTY) await write(process.stderr, '\r\u001b[K');
  if (report.error) await tell(errorWords(report.error));
  if (json) await write(process.stdout, `${JSON.stringify(report, null, 2)}\n`);
  else
    for (const { depth, said } of linesOf(report, terminal))
      await print('  '.repeat(depth) + sayPhrase(said));
  return exitCodeOf(report);
}

function showProgress({ looked, total }: { readonly looked: number; readonly total: number }): void {
  const words = sayPhrase({ key: 'check.progress', values: { looked, total } });
  if (process.stderr.isTTY) void write(process.stderr, `\r\u001b[K${plain(words)}`);
}

async function refuse(words: string): Promise<number> {
  await tell(words);
  return 2;
}

function print(text: string): Promise<void> {
  return write(process.stdout, `${plain(text)}\n`);
}

function tell(text: string): Promise<void> {
  return write(process.stderr, `${plain(text)}\n`);
}

/** A name must not steer the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{fffd}');
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}
