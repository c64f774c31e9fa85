import type { Command, Option } from 'commander';
import { examplesIn } from '../program-help.ts';

/** A command's description for man page and completions. */
export interface DescribedCommand {
  /** For example `assets get`; empty for the program. */
  readonly path: string;
  readonly usage: string;
  readonly description: string;
  readonly args: readonly { readonly placeholder: string; readonly description: string }[];
  readonly options: readonly DescribedOption[];
  readonly examples: readonly string[];
  readonly subcommands: readonly string[];
}

interface DescribedOption {
  /** `-V, --version`. */
  readonly flags: string;
  /** `--version`. */
  readonly flag: string;
  readonly takesValue: boolean;
  readonly description: string;
  readonly choices: readonly string[];
}

/** Each command before its subcommands. Pure. */
export function describeProgram(program: Command): readonly DescribedCommand[] {
  return describe(program, '');
}

function describe(command: Command, path: string): readonly DescribedCommand[] {
  const subcommands = command.commands.filter((subcommand) => !hiddenCommands.has(subcommand.name()));
  const description: DescribedCommand = {
    path,
    usage: command.usage(),
    description: command.description(),
    args: command.registeredArguments.map((arg) => ({
      placeholder: arg.required ? `<${arg.name()}${arg.variadic ? '...' : ''}>` : `[${arg.name()}]`,
      description: arg.description,
    })),
    options: command.options.map(describeOption),
    examples: examplesIn(command),
    subcommands: subcommands.map((subcommand) => subcommand.name()),
  };
  return [
    description,
    ...subcommands.flatMap((subcommand) => describe(subcommand, `${path} ${subcommand.name()}`.trim())),
  ];
}

/** Internal commands. */
const hiddenCommands: ReadonlySet<string> = new Set(['man']);

function describeOption(option: Option): DescribedOption {
  return {
    flags: option.flags,
    flag: option.long ?? option.flags,
    takesValue: option.required || option.optional,
    description: option.description,
    choices: option.argChoices ?? [],
  };
}
