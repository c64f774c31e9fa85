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
import { lookInside } from '../../main/source/heads/look-inside.ts';
import { createLookThread } from '../../main/source/heads/look-thread.ts';
import { createSurveyThread } from '../../main/source/heads/survey-thread.ts';
import { inspectSource } from '../../main/source/inspect-source.ts';
import { createPage } from '../../main/source/pages.ts';
import { readNamed } from '../../main/source/proposal/read-named.ts';
import { filesAlong } from '../../main/source/together/along.ts';
import { createReferences } from '../../main/source/together/references.ts';
import { takeAlong } from '../../main/source/together/take-along.ts';
import { scanSource } from '../../main/source/walk/scan.ts';
import { chooseSpeech } from '../../strings/languages.ts';
import { type CheckArguments, readCheckArguments } from './check-arguments.ts';

const terminal = process.platform === 'win32' ? 'windows' : 'posix';
/** The first files decide what a source is taken for: worth more of a wait than where someone looks on. */
const maxFirstLookMs = 10_000;

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
  const [looks, survey] = [createLookThread(), createSurveyThread()];
  const references = createReferences(looks, 'dropped');
  await tell(sayPhrase({ key: 'check.begun', values: { paths: { names: wishes.paths } } }));
  const report = await checkSources(
    wishes,
    {
      inspect: (paths, signal) =>
        inspectSource(paths, {
          scan: (entries) => scanSource(entries, { signal }),
          lookInside: (sources) => lookInside(sources, systemClock, looks, maxFirstLookMs),
          readNamed: (files) => readNamed(files, references.read, systemClock, createPage(signal)),
          takeAlong: (given) => takeAlong(given, (folder, names) => filesAlong(folder, names, references)),
        }),
      survey: survey.survey,
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
