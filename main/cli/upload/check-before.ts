import { notReadPhrases } from '../../../shared/degrees.ts';
import { findKind } from '../../../shared/kinds.ts';
import type { Seen } from '../../../shared/source.ts';
import { bytesOf } from '../../files/file-table.ts';
import { linesOf, reportOf } from '../../inspect/check/check-report.ts';
import type { RecognizedSource } from '../../inspect/inspect-source.ts';
import type { Inspector } from '../../inspect/inspector.ts';
import { sayPhrase } from '../../say.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';

/**
 * Looks into all files before anything is created; false where something would fail, which is said then.
 */
export async function checkBefore(
  cli: Cli,
  { survey }: Pick<Inspector, 'survey'>,
  sources: readonly RecognizedSource[],
): Promise<boolean> {
  const output = cli.output();
  const checked = [];
  for (const source of sources) {
    let seen: Seen | undefined;
    await survey(source.files, cli.stop, (news) => {
      seen = news.seen;
    });
    cli.stop.throwIfAborted();
    if (!seen) continue;
    const { files, paths, suggestion } = source;
    const sourceType = suggestion && findKind(suggestion.sourceType)?.sourceType;
    const bytes = bytesOf(files);
    const kind = { from: 'files', sourceTypes: sourceType ? [sourceType] : [] } as const;
    checked.push({ paths, files: files.length, bytes, kind, seen });
  }
  const report = reportOf(checked, false, { stopped: false });
  output.event({ event: 'check', report });
  const unread = checked.flatMap(({ seen }) => (seen.state === 'done' ? notReadPhrases(seen.degrees) : []));
  for (const phrase of unread) output.tell(phrase);
  if (report.result !== 'findings') return true;
  const terminal = cli.platform === 'win32' ? 'windows' : 'posix';
  for (const { depth, said } of linesOf(report, terminal)) output.tell('  '.repeat(depth) + sayPhrase(said));
  output.tell({ key: 'cli.upload.notCreated' });
  output.event({ event: 'result', exitCode: exitCodes.dataError, jobs: [] });
  return false;
}
