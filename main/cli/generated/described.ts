import type { Command, Option } from 'commander';
import { examplesIn } from '../program-help.ts';

/** A command as what is made from the program needs it: the man page and the completions. */
export interface Described {
  /** From the program down, without it: `assets get`; empty for the program. */
  readonly path: string;
  readonly usage: string;
  readonly description: string;
  readonly args: readonly { readonly term: string; readonly description: string }[];
  readonly options: readonly DescribedOption[];
  readonly examples: readonly string[];
  /** Names of the commands below. */
  readonly below: readonly string[];
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

/** The program and every command of it, each before those below it. Pure. */
export function describeProgram(program: Command): readonly Described[] {
  return describe(program, '');
}

function describe(command: Command, path: string): readonly Described[] {
  const below = command.commands.filter((one) => !hidden.has(one.name()));
  const own: Described = {
    path,
    usage: command.usage(),
    description: command.description(),
    args: command.registeredArguments.map((arg) => ({
      term: arg.required ? `<${arg.name()}${arg.variadic ? '...' : ''}>` : `[${arg.name()}]`,
      description: arg.description,
    })),
    options: command.options.map(described),
    examples: examplesIn(command),
    below: below.map((one) => one.name()),
  };
  return [own, ...below.flatMap((one) => describe(one, `${path} ${one.name()}`.trim()))];
}

/** What people do not call by themselves. */
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
