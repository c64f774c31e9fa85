import type { Readable, Writable } from 'node:stream';

export type Environment = Readonly<Record<string, string | undefined>>;

export type OutStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };
type InStream = Readable & { readonly isTTY?: boolean };

/** The command's process, injected for tests. */
export interface CliProcess {
  /** Without Node and the script. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: InStream;
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly workers: { readonly upload: URL; readonly scan: URL };
  readonly version: string;
  /** Aborts on the first SIGINT or SIGTERM with its name as reason. */
  readonly stop: AbortSignal;
}
