import { toErrorRecord } from '../../errors.ts';
import { errorWords } from '../../say.ts';
import type { WatchRule } from '../../watch/model/rule.ts';
import type { Cli } from '../cli.ts';
import { openTilelift } from '../compose.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { ServiceFile } from './service-file.ts';

/**
 * Creates nothing and needs no sign-in.
 * @throws TileliftError `journal-held` while a service is running
 */
export async function printDryRun(cli: Cli, file: ServiceFile | null): Promise<ExitCode> {
  const output = cli.output();
  const openedTilelift = await openTilelift(cli);
  let exitCode: ExitCode = exitCodes.complete;
  try {
    const { tilelift, settings } = openedTilelift;
    const storedRules = settings.get().watchRules;
    const rules: readonly WatchRule[] =
      file?.rules.map((rule) => ({ ...rule, accountId: rule.accountId ?? 'none' })) ?? storedRules;
    for (const rule of rules) {
      cli.stop.throwIfAborted();
      const { name, folder } = rule;
      try {
        const run = await tilelift.watch.dryRun(rule);
        const {
          wouldBeTaken,
          wouldBeHeld: heldCount = 0,
          known: knownCount,
          compared: comparedCount = 0,
          sources,
        } = run;
        const counts = { wouldBeTaken, wouldBeHeld: heldCount, known: knownCount, compared: comparedCount };
        output.event({ event: 'dry-run', rule: name, folder, ...counts, sources });
        output.result({
          key: 'cli.watch.wouldTake',
          values: { rule: name, folder, count: wouldBeTaken - heldCount, known: knownCount },
        });
        for (const { path, name: asset, bytes, outcome, held: holdReasons } of sources) {
          if (outcome === 'known') continue;
          if (!holdReasons)
            output.result({ key: 'cli.watch.wouldTakeSource', values: { path, asset, size: { bytes } } });
          for (const why of holdReasons ?? [])
            output.result({ key: 'cli.watch.wouldHoldSource', values: { path, why } });
        }
      } catch (cause) {
        const error = toErrorRecord(cause);
        exitCode = exitCodes.badInput;
        output.event({ event: 'dry-run', rule: name, folder, error });
        output.print({ key: 'cli.watch.cannotWork', values: { rule: name, why: errorWords(error) } });
      }
    }
  } finally {
    await openedTilelift.dispose();
  }
  return output.end(exitCode);
}
