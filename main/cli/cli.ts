import type { CheckExit, ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { CliProcess } from './process.ts';

/** Options of every command. */
export interface CommonOptions {
  readonly json: boolean;
  /** The folder of journal, settings and vault; default: the usual one. */
  readonly home?: string | undefined;
  /** An account's ID, name or service; default: the current one. */
  readonly account?: string | undefined;
}

/** The context of a command's run. */
export interface Cli extends CliProcess {
  /** Available once the arguments are parsed. */
  readonly common: () => CommonOptions;
  readonly output: () => Output;
  /** Sets the exit code. */
  finish(code: ExitCode | CheckExit): void;
}
