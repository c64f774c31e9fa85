import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { jobStatuses } from '../../shared/job-status.ts';

/** The process that runs the engine. */
export class Engine {
  readonly #child: ChildProcess;
  /** Resolves when the process has exited: true if it had finished its work. */
  readonly gone: Promise<boolean>;

  /** `onLine` gets its output while it runs; output of a dead process is dropped. */
  constructor(input: EngineInput, vaultKey: string, onLine: (line: EngineLine) => void) {
    const script = join(import.meta.dirname, 'engine-process.ts');
    this.#child = spawn(process.execPath, [script, JSON.stringify(input)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [vaultKeyVariable]: vaultKey },
    });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('no output to read');
    let isDone = false;
    const lines = createInterface({ input: stdout });
    lines.on('line', (text) => {
      if (this.#child.killed) return;
      const line = engineLine.parse(JSON.parse(text));
      isDone ||= line.kind === 'done';
      onLine(line);
    });
    this.gone = once(this.#child, 'close').then(() => isDone);
  }

  /** Sends SIGKILL, like a power cut. Returns false if the process had exited. */
  kill(): boolean {
    return this.#child.exitCode === null && this.#child.kill('SIGKILL');
  }
}

/** Output of the engine's process, one line of JSON each. */
const engineLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('job'),
    name: z.string(),
    status: z.enum(jobStatuses),
    bytesDone: z.number(),
    bytesTotal: z.number().nullable(),
    lanes: z.number(),
  }),
  z.object({
    kind: z.literal('ended'),
    name: z.string(),
    status: z.enum(jobStatuses),
    assetId: z.number().nullable(),
    error: z.string().nullable(),
    history: z.array(z.string()),
  }),
  z.object({ kind: z.literal('done') }),
]);
export type EngineLine = z.infer<typeof engineLine>;
export type JobLine = Extract<EngineLine, { kind: 'job' }>;
export type EndedLine = Extract<EngineLine, { kind: 'ended' }>;

const order = z.object({ name: z.string(), path: z.string() });

export const engineInput = z.object({
  folder: z.string(),
  baseUrl: z.string(),
  authUrl: z.string(),
  orders: z.array(order),
});
type EngineInput = z.infer<typeof engineInput>;

/** Environment variable with the key of the vault's cipher: 64 hex digits. */
export const vaultKeyVariable = 'TILELIFT_CHAOS_VAULT_KEY';
