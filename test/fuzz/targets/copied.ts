import { convertedEndings, copiedCommands } from '../../security/support/expected-words.ts';
import { shellModels } from '../../security/support/shell-models.ts';
import { Escape, type Target } from '../target.ts';

/** File names in commands that the user pastes into a terminal. */
const copiedNames: Target = {
  name: 'copied-commands',
  seeds: ['parcels {in} $(touch a).gpkg', "it's\\'; b; #", '-a & calc & b', 'a (1) b', '“a”; b', '@a:b'],
  words: ['{in}', '{out:kml}', '%PATH%', '!PATH!', "'", '"', '`', '\\', '$(a)', '&', '^', '\n', '\t', ' '],
  run: (input) => {
    const stem = input.toString().replaceAll('/', '_') || 'a';
    const outcomes = new Set<string>();
    for (const terminal of ['posix', 'windows'] as const)
      for (const extension of convertedEndings)
        for (const { command, words } of copiedCommands(`${stem}.${extension}`, terminal))
          for (const [shell, wordsOf] of Object.entries(shellModels[terminal])) {
            const parsedWords = wordsOrReason(wordsOf, command);
            if (JSON.stringify(parsedWords) !== JSON.stringify(words))
              throw new Escape(`${shell}: ${command}`);
            outcomes.add(`${terminal} ${command.includes('"')} ${command.includes('input')}`);
          }
    return [...outcomes].join();
  },
};

function wordsOrReason(wordsOf: (line: string) => readonly string[], command: string): unknown {
  try {
    return wordsOf(command);
  } catch (error) {
    return String(error);
  }
}

export const copiedTargets: readonly Target[] = [copiedNames];
