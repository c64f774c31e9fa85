import type { Command } from 'commander';
import { say } from '../say.ts';
import { type ExitName, exitCodes } from './exit-codes.ts';
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

/** Also for the man page. */
export const exitWords = {
  complete: 'cli.exit.complete',
  internal: 'cli.exit.internal',
  badInput: 'cli.exit.badInput',
  signIn: 'cli.exit.signIn',
  dataError: 'cli.exit.dataError',
  tilingError: 'cli.exit.tilingError',
  expired: 'cli.exit.expired',
  givenUp: 'cli.exit.givenUp',
  heldForPerson: 'cli.exit.heldForPerson',
  serviceUnusable: 'cli.exit.serviceUnusable',
  interrupted: 'cli.exit.interrupted',
  terminated: 'cli.exit.terminated',
} as const satisfies Record<ExitName, string>;

/** Commands with exit codes of their own. */
const ownExits = {
  check: [
    [0, 'cli.check.exit.clean'],
    [1, 'cli.check.exit.findings'],
    [2, 'cli.check.exit.badInput'],
    [3, 'cli.check.exit.incomplete'],
  ],
  status: [
    [exitCodes.complete, 'cli.status.exit.healthy'],
    [exitCodes.internal, 'cli.exit.internal'],
    [exitCodes.badInput, 'cli.status.exit.badInput'],
    [exitCodes.signIn, 'cli.status.exit.signIn'],
    [exitCodes.givenUp, 'cli.status.exit.failing'],
    [exitCodes.heldForPerson, 'cli.status.exit.attention'],
  ],
} as const;

function exitCodesOf(command: Command): string {
  const name = command.name();
  const rows =
    (name === 'check' || name === 'status') && command.parent?.parent === null
      ? ownExits[name]
      : Object.entries(exitWords).map(([exit, key]) => [exitCodes[exit as ExitName], key] as const);
  const lines = rows.map(([code, key]) => `  ${String(code).padEnd(3)}  ${say(key)}`);
  return `\n${say('cli.help.exitCodes')}\n${lines.join('\n')}`;
}

/** Subcommands inherit it. */
export function styleHelp(program: Command, { stdout }: Pick<CliProcess, 'stdout'>): void {
  program
    .addHelpText('afterAll', ({ command }) => exitCodesOf(command))
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      getOutHelpWidth: () => helpWidth,
      outputError: () => {},
      writeErr: () => {},
    })
    .showSuggestionAfterError(true)
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
