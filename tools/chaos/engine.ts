import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { jobStatuses } from '../../shared/job-status.ts';

/** The process that runs the engine. */
export class Engine {
  readonly #child: ChildProcess;
  /** Resolves once the process is gone: true when it had done all it had to. */
  readonly gone: Promise<boolean>;

  /** `onLine` gets what it says while it lives; nothing that a dead process said is told afterwards. */
  constructor(input: EngineInput, vaultKey: string, onLine: (line: EngineLine) => void) {
    const script = join(import.meta.dirname, 'engine-process.ts');
    this.#child = spawn(process.execPath, [script, JSON.stringify(input)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [vaultKeyVariable]: vaultKey },
    });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('no output to read');
    let done = false;
    const lines = createInterface({ input: stdout });
    lines.on('line', (text) => {
      if (this.#child.killed) return;
      const line = engineLine.parse(JSON.parse(text));
      done ||= line.kind === 'done';
      onLine(line);
    });
    this.gone = once(this.#child, 'close').then(() => done);
  }

  /** As a power cut would: SIGKILL. False when the process was gone before. */
  kill(): boolean {
    return this.#child.exitCode === null && this.#child.kill('SIGKILL');
  }
}

/** What the engine's process says, a line of JSON each. */
const engineLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('job'),
    name: z.string(),
    status: z.enum(jobStatuses),
    bytesDone: z.number(),
    bytesTotal: z.number().nullable(),
    /** Parts that may be in flight at once. */
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
  /** Every job has ended; the process goes. */
  z.object({ kind: z.literal('done') }),
]);
export type EngineLine = z.infer<typeof engineLine>;
export type JobLine = Extract<EngineLine, { kind: 'job' }>;
export type EndedLine = Extract<EngineLine, { kind: 'ended' }>;

/** One source that is to become one asset, under a name that no other has. */
const order = z.object({ name: z.string(), path: z.string() });

/** What the engine's process is started with. */
export const engineInput = z.object({
  folder: z.string(),
  baseUrl: z.string(),
  authUrl: z.string(),
  orders: z.array(order),
});
type EngineInput = z.infer<typeof engineInput>;

/** The environment variable with the key of the vault's cipher: 64 hex digits. */
export const vaultKeyVariable = 'TILELIFT_CHAOS_VAULT_KEY';
