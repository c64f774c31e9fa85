import { exitCodeOf, linesOf } from '../../inspect/check/check-report.ts';
import { type CheckOptions, checkSources } from '../../inspect/check/check-sources.ts';
import { supplierMessage } from '../../inspect/check/supplier-message.ts';
import { createInspector } from '../../inspect/session/inspector.ts';
import { errorWords, sayPhrase } from '../../say.ts';
import type { Cli } from '../cli.ts';
import type { CheckExit } from '../exit-codes.ts';

/**
 * Inspects all files and prints the findings; with `--json` the report of docs/check.md as one line.
 *
 * @param isMessage prints a message to the supplier instead of the findings
 */
export async function runCheck(cli: Cli, wishes: CheckOptions, isMessage = false): Promise<CheckExit> {
  const output = cli.output();
  const inspector = createInspector(cli.workers.scan, cli.stop);
  output.note({ key: 'check.begun', values: { paths: { names: wishes.paths } } });
  const report = await checkSources(
    wishes,
    {
      inspector,
      notify: ({ looked: inspectedCount, total }) => {
        const tenth = total === 0 ? 10 : Math.floor((inspectedCount / total) * 10);
        output.progress(
          sayPhrase({ key: 'check.progress', values: { looked: inspectedCount, total } }),
          `check ${tenth}`,
        );
      },
    },
    cli.stop,
  );
  inspector.close();
  if (report.error) output.print(errorWords(report.error));
  const terminal = cli.platform === 'win32' ? 'windows' : 'posix';
  const lines = isMessage ? supplierMessage(report, null, terminal) : linesOf(report, terminal);
  for (const { depth, text } of lines) output.result('  '.repeat(depth) + sayPhrase(text));
  const code = exitCodeOf(report) as CheckExit;
  output.event({ event: 'check', report });
  return output.end(code);
}
