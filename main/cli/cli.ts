import type { CheckExit, ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { CliProcess } from './process.ts';

/** Options that every command takes. */
export interface CommonOptions {
  readonly json: boolean;
  /** Where journal, settings and vault live; absent for the usual place. */
  readonly home?: string | undefined;
  /** An account by its id or service; absent for the current one. */
  readonly account?: string | undefined;
}

/** One run of the command, as each command sees it. */
export interface Cli extends CliProcess {
  /** What every command takes, once the arguments are read. */
  readonly common: () => CommonOptions;
  readonly output: () => Output;
  /** What the process is to end with. */
  finish(code: ExitCode | CheckExit): void;
}
