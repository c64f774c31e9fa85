import { Command, CommanderError } from 'commander';
import { chooseSpeech } from '../../../strings/languages.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import { catalogues, errorWords, say, speak } from '../../say.ts';
import type { Cli, CommonOptions } from '../cli.ts';
import { type CheckExit, type ExitCode, exitCodes, exitNameOf } from '../exit-codes.ts';
import { languagesOf } from '../languages.ts';
import { createOutput, tellRemote } from '../output.ts';
import type { CliProcess } from '../process.ts';
import { styleHelp } from '../program-help.ts';
import { exitCodeWhenStopped, isTimeout } from '../stopped.ts';
import { UsageError } from '../usage-error.ts';
import { addAccounts } from './accounts.ts';
import { addAssets } from './assets.ts';
import { addCheck } from './check.ts';
import { addCompletion } from './completion.ts';
import { addJobs } from './jobs.ts';
import { addLicenses } from './licenses.ts';
import { addPolicy } from './policy.ts';
import { addReceipts } from './receipts.ts';
import { addRules } from './rules.ts';
import { addSignIn } from './sign-in.ts';
import { addSignOut } from './sign-out.ts';
import { addSources } from './sources.ts';
import { addStatus } from './status.ts';
import { addUpload } from './upload.ts';
import { addWatch } from './watch.ts';

/** Sorted as in the help. */
const commands = [
  ...[addSignIn, addSignOut, addAccounts, addUpload, addCheck, addWatch, addStatus, addJobs],
  ...[addSources, addAssets, addRules, addReceipts, addPolicy, addLicenses, addCompletion],
];

/** Creates the program in the current language. */
export function createProgram(cli: Cli): Command {
  const program = new Command('tilelift');
  styleHelp(program, cli);
  program
    .description(say('cli.program.description'))
    .version(cli.version, '-V, --version', say('cli.program.version'))
    .option('--json', say('cli.option.json'), false)
    .option('-q, --quiet', say('cli.option.quiet'), false)
    .option('-v, --verbose', say('cli.option.verbose'), false)
    .option('--log-file <file>', say('cli.option.logFile'))
    .option('--home <folder>', say('cli.option.home'))
    .option('--account <id>', say('cli.option.account'));
  for (const add of commands) add(program, cli);
  withoutHelpCommand(program);
  return program;
}

/** Commander would add a `help` command; `--help` suffices. */
function withoutHelpCommand(command: Command): void {
  command.helpCommand(false);
  for (const subcommand of command.commands) withoutHelpCommand(subcommand);
}

/** Never rejects: errors go to standard error, and with `--json` also to the last line of standard output. */
export async function runProgram(process: CliProcess): Promise<ExitCode | CheckExit> {
  speak({ ...chooseSpeech(catalogues, 'system', languagesOf(process.env)), isInTerminal: true });
  // Parse errors need it.
  const isJson = process.args.includes('--json');
  const outputWith = ({ json, quiet: isQuiet = false }: CommonOptions) =>
    createOutput({ ...process, json, isQuiet, clock: Date.now });
  let output = outputWith({ json: isJson });
  let code: ExitCode | CheckExit = exitCodes.complete;
  let program: Command | undefined;
  const cli: Cli = {
    ...process,
    common: () => program?.opts<CommonOptions>() ?? { json: isJson },
    output: () => output,
    finish: (earnedCode) => {
      code = earnedCode;
    },
  };
  try {
    program = createProgram(cli);
    if (process.args.length === 0) {
      process.stdout.write(program.helpInformation());
      return exitCodes.complete;
    }
    program.hook('preAction', () => {
      output = outputWith(cli.common());
    });
    await program.parseAsync(withKnownCommand(program, process.args), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.complete;
    if (process.stop.aborted || isTimeout(error)) {
      const code = process.stop.aborted ? exitCodeWhenStopped(process.stop) : exitCodes.givenUp;
      output.print({ key: 'cli.stopped' });
      return output.end(code);
    }
    return explain(error);
  }

  function explain(cause: unknown): ExitCode {
    if (cause instanceof UsageError || cause instanceof CommanderError) {
      const phrase = cause instanceof UsageError ? cause.phrase : wrongCall(cause);
      output.print(phrase);
      return output.end(exitCodes.badInput, {
        error: { code: 'usage', message: inEnglish.sayPhrase(phrase) },
      });
    }
    const error = toTileliftError(cause);
    const record = toErrorRecord(error);
    const exitCode = exitCodes[exitNameOf(error.code)];
    output.print(errorWords(record));
    if (record.remote?.message) tellRemote(output, record.remote.message);
    if (error.code === 'internal')
      output.print(String(error.cause instanceof Error ? error.cause.stack : cause));
    return output.end(exitCode, { error: { ...record, message: error.message } });
  }
}

/** Commander would print the program's help for `unknown --help`. */
function withKnownCommand(program: Command, args: readonly string[]): readonly string[] {
  const { operands } = program.parseOptions([...args]);
  const [name] = operands;
  const isKnown = name === undefined || program.commands.some((command) => command.name() === name);
  return isKnown ? args : [name];
}

/** Translates Commander's errors. */
function wrongCall({ code, message }: CommanderError): Phrase {
  const [, subject = ''] = /'([^']*)'/.exec(message) ?? [];
  const suggestion = suggestionIn(message);
  switch (code) {
    case 'commander.unknownOption':
      return suggestion === undefined
        ? { key: 'cli.usage.unknownOption', values: { option: subject } }
        : { key: 'cli.usage.similarOption', values: { option: subject, suggestion } };
    case 'commander.unknownCommand':
      return suggestion === undefined
        ? { key: 'cli.usage.unknownCommand', values: { command: subject } }
        : { key: 'cli.usage.similarCommand', values: { command: subject, suggestion } };
    case 'commander.excessArguments':
      return { key: 'cli.usage.tooMany', values: { argument: excessArgument(message) } };
    case 'commander.missingArgument':
      return { key: 'cli.usage.missingArgument', values: { argument: subject } };
    case 'commander.optionMissingArgument':
      return { key: 'cli.usage.missingValue', values: { option: subject } };
    case 'commander.help':
      return { key: 'cli.usage.missingCommand' };
    case 'commander.invalidArgument': {
      const [, choices = ''] = message.split(' Allowed choices are ', 2);
      return {
        key: 'cli.usage.notAChoice',
        values: { given: invalidValue(message), choices: choices.slice(0, -1) },
      };
    }
    default:
      return { key: 'cli.usage.other', values: { why: inOneSentence(message) } };
  }
}

const inOneSentence = (message: string) => message.replace(/^error: /, '').replace(/\.$/, '');

/** From `(Did you mean one of a, b?)`. */
const suggestionIn = (message: string): string | undefined =>
  message
    .split('(Did you mean ', 2)[1]
    ?.split('?', 1)[0]
    ?.replace(/^one of /, '');

/** From `argument 'a' is invalid`. */
const invalidValue = (message: string): string => /'([^']*)' is invalid/.exec(message)?.[1] ?? '';

/** The first of `but got 2: a, b.` */
const excessArgument = (message: string): string =>
  message
    .split(/but got \d+: /, 2)[1]
    ?.split(', ', 1)[0]
    ?.replace(/\.$/, '') ?? '';
