import type { Readable, Writable } from 'node:stream';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream that may be a terminal. */
export type OutStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };
type InStream = Readable & { readonly isTTY?: boolean };

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
