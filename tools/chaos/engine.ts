import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type EngineInput, type EngineLine, engineLine, vaultKeyVariable } from './engine-lines.ts';

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
