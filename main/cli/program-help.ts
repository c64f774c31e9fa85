import type { Command } from 'commander';
import { say } from '../say.ts';

/** Headings as Commander has them, and ours in the current language. */
const headings = {
  'Usage:': 'cli.help.usage',
  'Arguments:': 'cli.help.arguments',
  'Options:': 'cli.help.options',
  'Global Options:': 'cli.help.commonOptions',
  'Commands:': 'cli.help.commands',
} as const;

/** Help in the language that is spoken now, in the order in which commands were added. Inherited by each. */
export function styleHelp(program: Command): void {
  program
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpOption('-h, --help', say('cli.option.help'))
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => {
        const key = Object.entries(headings).find(([name]) => name === title)?.[1];
        return key ? say(key) : title;
      },
      subcommandTerm: (command) => command.name(),
      optionDescription: (option) => option.description,
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
