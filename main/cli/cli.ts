import type { CheckExit, ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { CliProcess } from './process.ts';

/** Options of every command. */
export interface CommonOptions {
  readonly json: boolean;
  readonly home?: string | undefined;
  /** ID, name or service; default: the current one. */
  readonly account?: string | undefined;
}

/** The context of a command's run. */
export interface Cli extends CliProcess {
  readonly common: () => CommonOptions;
  readonly output: () => Output;
  /** Sets the exit code. */
  finish(code: ExitCode | CheckExit): void;
}
