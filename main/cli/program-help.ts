import type { Command } from 'commander';
import { say } from '../say.ts';
import type { CliProcess } from './process.ts';

/** A fixed width, as in the man page and tests. */
const helpWidth = 80;

/** Commander's headings, translated. */
const headings = {
  'Usage:': 'cli.help.usage',
  'Arguments:': 'cli.help.arguments',
  'Options:': 'cli.help.options',
  'Global Options:': 'cli.help.commonOptions',
  'Commands:': 'cli.help.commands',
} as const;

/** Subcommands inherit it. */
export function styleHelp(program: Command, { stdout }: Pick<CliProcess, 'stdout'>): void {
  program
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      getOutHelpWidth: () => helpWidth,
      outputError: () => {},
      writeErr: () => {},
    })
    .showSuggestionAfterError(false)
    .helpOption('-h, --help', say('cli.option.help'))
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => {
        const key = Object.entries(headings).find(([name]) => name === title)?.[1];
        return key ? say(key) : title;
      },
      subcommandTerm: (command) => command.name(),
      optionDescription: (option) => option.description,
      argumentDescription: (argument) => argument.description,
    });
}

/** Adds examples below a command's help. */
export function addExamples(command: Command, examples: readonly string[]): Command {
  examplesOf.set(command, examples);
  return command.addHelpText(
    'after',
    `\n${say('cli.help.examples')}\n${examples.map((line) => `  ${line}`).join('\n')}`,
  );
}

const examplesOf = new WeakMap<Command, readonly string[]>();

/** For the man page. */
export function examplesIn(command: Command): readonly string[] {
  return examplesOf.get(command) ?? [];
}
