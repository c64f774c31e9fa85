import type { CheckExit, ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { CliProcess } from './process.ts';

/** Options of every command. */
export interface CommonOptions {
  readonly json: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly logFile?: string | undefined;
  readonly home?: string | undefined;
  /** The account's service; default: the last one. */
  readonly service?: string | undefined;
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

/** Stops after this time (ms) with exit code 7. */
export function withTimeout(cli: Cli, ms: number | undefined): Cli {
  return ms === undefined ? cli : { ...cli, stop: AbortSignal.any([cli.stop, AbortSignal.timeout(ms)]) };
}

/** Uses the account of a service. */
export function withService(cli: Cli, service: string | undefined): Cli {
  return service === undefined ? cli : { ...cli, common: () => ({ ...cli.common(), service }) };
}
