import type { Readable, Writable } from 'node:stream';
import type { ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream that may be a terminal. */
export type OutStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };
export type InStream = Readable & { readonly isTTY?: boolean };

/** What the command is given of its process: `main.ts` hands in the real one, tests what they like. */
export interface CliProcess {
  /** Without Node and the script. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: InStream;
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  readonly platform: NodeJS.Platform;
  /** The user's own folder. */
  readonly userHome: string;
  /** Where a worker's code lies. */
  readonly workers: { readonly upload: URL; readonly scan: URL };
  readonly version: string;
  /**
   * Aborts with the first SIGINT or SIGTERM, whose name is its reason; the second ends the process at once.
   */
  readonly stop: AbortSignal;
}

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
  finish(code: ExitCode): void;
}
