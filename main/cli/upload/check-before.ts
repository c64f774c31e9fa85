import { notReadPhrases } from '../../../shared/degrees.ts';
import { findKind } from '../../../shared/kinds.ts';
import { type CheckedSource, linesOf, reportOf } from '../../inspect/check/check-report.ts';
import { checkAsset } from '../../inspect/check/check-sources.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import type { DecidedAsset } from '../../inspect/session/session.ts';
import { sayPhrase } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';

/**
 * Inspects all files before anything is created. Reports and returns false if something would fail.
 *
 * @param requested source type of each asset; default: as suggested
 */
export async function checkBefore(
  cli: Cli,
  inspector: Pick<Inspector, 'scanDecided'>,
  assets: readonly DecidedAsset[],
  requested: readonly string[] = [],
): Promise<boolean> {
  const output = cli.output();
  const checkedSources: CheckedSource[] = [];
  for (const [index, asset] of assets.entries()) {
    const kind = findKind(requested[index] ?? '');
    const isOther = kind && kind.sourceType !== asset.suggestion?.sourceType;
    checkedSources.push(
      await checkAsset(asset, isOther ? [kind.sourceType] : null, { inspector, notify: () => {} }, cli.stop),
    );
    cli.stop.throwIfAborted();
  }
  const report = reportOf(checkedSources, false, { stopped: false });
  output.event({ event: 'check', report });
  const unreadPhrases = checkedSources.flatMap(({ seen: results }) =>
    results.state === 'done' ? notReadPhrases(results.degrees) : [],
  );
  for (const phrase of unreadPhrases) output.print(phrase);
  if (report.result !== 'findings') return true;
  const terminal = cli.platform === 'win32' ? 'windows' : 'posix';
  for (const { depth, text } of linesOf(report, terminal)) output.print('  '.repeat(depth) + sayPhrase(text));
  output.print({ key: 'cli.upload.notCreated' });
  output.end(exitCodes.dataError, { jobs: [] });
  return false;
}
