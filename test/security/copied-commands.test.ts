import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suiteFolder } from '../temporary-folder.ts';
import { convertedEndings, copiedCommands } from './support/expected-words.ts';
import { shellModels } from './support/shell-models.ts';

const folder = suiteFolder();

/** File names with characters that shells interpret. */
const fileNames = fc
  .tuple(
    fc.string({
      unit: fc.constantFrom(
        ...'ab \'"$`\\;&|<>(){}[]*?!#~=%^,\t\n-:@é.\u201c\u2019\u00a0\u001b',
        ...['{in}', '{out:kml}', '$(touch PWNED)', "'; touch PWNED; #", '" & calc & "', '%PATH%', '!PATH!'],
        ...['\\', "\\'", '`n', '--', '@', '^', '!!', '$PATH'],
      ),
      minLength: 1,
      maxLength: 12,
    }),
    fc.constantFrom(...convertedEndings),
  )
  .map(([stem, extension]) => `${stem}.${extension}`);

/** Prints each word, then an empty line. */
const printWords = {
  bash: ['set -o history', 'set -H', 'words() { printf "%s\\0" "$@"; printf "\\n\\0"; }'],
  fish: ['function words; printf "%s\\0" $argv; printf "\\n\\0"; end'],
} as const;
const shellOptions = { bash: ['--norc', '--noprofile'], fish: ['--no-config'] } as const;

function wordsInRealShell(shell: 'bash' | 'fish', commands: readonly string[]): readonly string[][] {
  const lines = [...printWords[shell], ...commands.map((command) => `words ${command}`)];
  const script = join(folder, 'pasted');
  writeFileSync(script, `${lines.join('\n')}\n`);
  const { stdout } = spawnSync(shell, [...shellOptions[shell], script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: folder, HISTFILE: '/dev/null' },
  });
  return stdout
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

describe('a copied command for any file name', () => {
  for (const shell of ['bash', 'fish'] as const) {
    const hasShell = spawnSync(shell, ['--version']).status === 0;
    it(`S71: a copied command for any file name keeps its words in ${shell} and runs nothing in the name`, {
      timeout: 120_000,
    }, ({ skip }) => {
      if (!hasShell) skip(`${shell} is not installed here`);
      fc.assert(
        fc.property(fc.array(fileNames, { minLength: 40, maxLength: 40 }), (names) => {
          const copied = names.flatMap((name) => copiedCommands(name, 'posix'));
          const realWords = wordsInRealShell(
            shell,
            copied.map(({ command }) => command),
          );
          expect(realWords).toEqual(copied.map(({ words }) => words));
        }),
        { numRuns: 15, endOnFailure: true },
      );
      expect(readdirSync(folder).filter((file) => file.includes('PWNED'))).toEqual([]);
    });
  }

  for (const terminal of ['posix', 'windows'] as const)
    it.each(Object.entries(shellModels[terminal]))(
      `S72: a copied command for any file name keeps its words on ${terminal} by the rules of %s`,
      (_shell, wordsOf) => {
        fc.assert(
          fc.property(fileNames, (name) => {
            for (const { command, words } of copiedCommands(name, terminal))
              expect(wordsOf(command)).toEqual(words);
          }),
          { numRuns: 2_000 },
        );
      },
    );

  it.each([
    ['parcels {in} $(touch PWNED).gpkg', "'parcels {in} $(touch PWNED).gpkg'"],
    ['-{out:kml}.gpkg', "'./-{out:kml}.gpkg'"],
  ])('a copied command for any file name keeps placeholders in the name literal: %s', (name, word) => {
    const [{ command = '' } = {}] = copiedCommands(name, 'posix');
    expect(command.endsWith(` ${word}`)).toBe(true);
  });
});

describe('shell models', () => {
  const models: Readonly<Record<string, (line: string) => readonly string[]>> = {
    ...shellModels.posix,
    ...shellModels.windows,
  };

  it.each([
    ['bash', "a 'b c'\\''d'", ['a', "b c'd"]],
    ['bash', "a 'b\\'", ['a', 'b\\']],
    ['fish', "a 'b\\'c\\\\d'", ['a', "b'c\\d"]],
    ['Command Prompt', 'a "b & c" d\\e "f\\\\"', ['a', 'b & c', 'd\\e', 'f\\']],
    ['PowerShell', 'a "b c" \u201cd\u201d', ['a', 'b c', 'd']],
  ])('shell models of %s split %s into words', (shell, line, words) =>
    expect(models[shell]?.(line)).toEqual(words),
  );

  it.each([
    ['bash', "'a'$(b)"],
    ['fish', "'a\\' b"],
    ['Command Prompt', '"a" & calc'],
    ['Command Prompt', '"%PATH%"'],
    ['PowerShell', '"$(calc)"'],
    ['PowerShell', '@a'],
    ['PowerShell, starting a batch file', '"a&calc"'],
  ])('shell models of %s reject %s, which does more than pass words', (shell, line) => {
    expect(() => models[shell]?.(line)).toThrow(/ in /);
  });
});
