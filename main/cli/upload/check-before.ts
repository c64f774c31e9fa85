import { notReadPhrases } from '../../../shared/degrees.ts';
import { type CheckedSource, linesOf, reportOf } from '../../inspect/check/check-report.ts';
import { checkAsset } from '../../inspect/check/check-sources.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import type { DecidedAsset } from '../../inspect/session/session.ts';
import { sayPhrase } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';

/** Inspects all files before anything is created. Reports and returns false if something would fail. */
export async function checkBefore(
  cli: Cli,
  inspector: Pick<Inspector, 'surveyDecided'>,
  assets: readonly DecidedAsset[],
): Promise<boolean> {
  const output = cli.output();
  const checked: CheckedSource[] = [];
  for (const asset of assets) {
    checked.push(await checkAsset(asset, null, { inspector, tell: () => {} }, cli.stop));
    cli.stop.throwIfAborted();
  }
  const report = reportOf(checked, false, { stopped: false });
  output.event({ event: 'check', report });
  const unread = checked.flatMap(({ seen }) => (seen.state === 'done' ? notReadPhrases(seen.degrees) : []));
  for (const phrase of unread) output.tell(phrase);
  if (report.result !== 'findings') return true;
  const terminal = cli.platform === 'win32' ? 'windows' : 'posix';
  for (const { depth, text: said } of linesOf(report, terminal))
    output.tell('  '.repeat(depth) + sayPhrase(said));
  output.tell({ key: 'cli.upload.notCreated' });
  output.event({ event: 'result', exitCode: exitCodes.dataError, jobs: [] });
  return false;
}
