import type { Command } from 'commander';
import { say } from '../say.ts';
import type { CliProcess } from './process.ts';

/** Columns of the help on any terminal: what is printed is what the man page and the tests have. */
const helpWidth = 80;

/** Headings as Commander has them, and ours in the current language. */
const headings = {
  'Usage:': 'cli.help.usage',
  'Arguments:': 'cli.help.arguments',
  'Options:': 'cli.help.options',
  'Global Options:': 'cli.help.commonOptions',
  'Commands:': 'cli.help.commands',
} as const;

/** Help in the language that is spoken now, in the order in which commands were added. Inherited by each. */
export function styleHelp(program: Command, { stdout }: Pick<CliProcess, 'stdout'>): void {
  program
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      getOutHelpWidth: () => helpWidth,
      // What was wrong is said by the program, in the language that is spoken.
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

/** Calls that can be pasted, below the help of a command. */
export function addExamples(command: Command, examples: readonly string[]): Command {
  examplesOf.set(command, examples);
  return command.addHelpText(
    'after',
    `\n${say('cli.help.examples')}\n${examples.map((line) => `  ${line}`).join('\n')}`,
  );
}

const examplesOf = new WeakMap<Command, readonly string[]>();

/** The examples of a command, for what is made from the program: the man page. */
export function examplesIn(command: Command): readonly string[] {
  return examplesOf.get(command) ?? [];
}
