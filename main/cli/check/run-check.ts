import { systemClock } from '../../outside.ts';
import { errorWords, sayPhrase } from '../../say.ts';
import { exitCodeOf, linesOf } from '../../source/check/check-report.ts';
import { type CheckWishes, checkSources } from '../../source/check/check-sources.ts';
import { lookInside } from '../../source/heads/look-inside.ts';
import { createLookThread } from '../../source/heads/look-thread.ts';
import { createSurveyThread } from '../../source/heads/survey-thread.ts';
import { inspectSource } from '../../source/inspect-source.ts';
import { scanSource } from '../../source/walk/scan.ts';
import type { Cli } from '../cli.ts';
import type { CheckExit } from '../exit-codes.ts';

/** The first files decide what a source is taken for: worth more of a wait than where someone looks on. */
const maxFirstLookMs = 10_000;

/** Looks into all files and prints what was found; with `--json` one line, the report of docs/check.md. */
export async function runCheck(cli: Cli, wishes: CheckWishes): Promise<CheckExit> {
  const output = cli.output();
  const worker = cli.workers.scan;
  const [looks, survey] = [createLookThread(worker), createSurveyThread(worker)];
  output.tell({ key: 'check.begun', values: { paths: { names: wishes.paths } } });
  const report = await checkSources(
    wishes,
    {
      inspect: (paths, signal) =>
        inspectSource(paths, {
          scan: (entries) => scanSource(entries, { signal, worker }),
          lookInside: (sources) => lookInside(sources, systemClock, looks, maxFirstLookMs),
        }),
      survey: survey.survey,
      tell: ({ looked, total }) => {
        const tenth = total === 0 ? 10 : Math.floor((looked / total) * 10);
        output.progress(sayPhrase({ key: 'check.progress', values: { looked, total } }), `check ${tenth}`);
      },
    },
    cli.stop,
  );
  looks.close();
  survey.close();
  if (report.error) output.tell(errorWords(report.error));
  const terminal = cli.platform === 'win32' ? 'windows' : 'posix';
  for (const { depth, said } of linesOf(report, terminal))
    output.result('  '.repeat(depth) + sayPhrase(said));
  const code = exitCodeOf(report) as CheckExit;
  output.event({ event: 'check', report });
  output.event({ event: 'result', exitCode: code });
  return code;
}
