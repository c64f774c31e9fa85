import type { Command, Option } from 'commander';
import { examplesIn } from '../program-help.ts';

/** A command's description for man page and completions. */
export interface Described {
  /** For example `assets get`; empty for the program. */
  readonly path: string;
  readonly usage: string;
  readonly description: string;
  readonly args: readonly { readonly term: string; readonly description: string }[];
  readonly options: readonly DescribedOption[];
  readonly examples: readonly string[];
  readonly subcommands: readonly string[];
}

interface DescribedOption {
  /** `-V, --version`. */
  readonly flags: string;
  /** `--version`. */
  readonly long: string;
  readonly takesValue: boolean;
  readonly description: string;
  readonly choices: readonly string[];
}

/** Each command before its subcommands. Pure. */
export function describeProgram(program: Command): readonly Described[] {
  return describe(program, '');
}

function describe(command: Command, path: string): readonly Described[] {
  const subcommands = command.commands.filter((subcommand) => !hidden.has(subcommand.name()));
  const description: Described = {
    path,
    usage: command.usage(),
    description: command.description(),
    args: command.registeredArguments.map((arg) => ({
      term: arg.required ? `<${arg.name()}${arg.variadic ? '...' : ''}>` : `[${arg.name()}]`,
      description: arg.description,
    })),
    options: command.options.map(described),
    examples: examplesIn(command),
    subcommands: subcommands.map((subcommand) => subcommand.name()),
  };
  return [
    description,
    ...subcommands.flatMap((subcommand) => describe(subcommand, `${path} ${subcommand.name()}`.trim())),
  ];
}

/** Internal commands. */
const hidden: ReadonlySet<string> = new Set(['man']);

function described(option: Option): DescribedOption {
  return {
    flags: option.flags,
    long: option.long ?? option.flags,
    takesValue: option.required || option.optional,
    description: option.description,
    choices: option.argChoices ?? [],
  };
}
