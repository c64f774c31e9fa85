import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vaultKeyVariable, type WatcherInput } from './watcher-input.ts';

/** The process that watches: killed, it is started again on the same folder. */
export class Watcher {
  readonly #input: WatcherInput;
  readonly #vaultKey: string;
  #child: ChildProcess;

  constructor(input: WatcherInput, vaultKey: string) {
    this.#input = input;
    this.#vaultKey = vaultKey;
    this.#child = this.#start();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** As a power cut would, then on again. Throws when it had ended by itself. */
  async killAndRestart(): Promise<void> {
    this.checkAlive();
    const gone = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await gone;
    this.#child = this.#start();
  }

  checkAlive(): void {
    if (this.#child.exitCode !== null)
      throw new Error(`the watcher ended by itself: ${this.#child.exitCode}`);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await gone;
  }

  /** Resolves once it is signed in and has its rules. */
  async watching(): Promise<void> {
    if (this.#child.stdout) await once(this.#child.stdout, 'data');
  }

  #start(): ChildProcess {
    const script = join(import.meta.dirname, 'watcher-process.ts');
    const child = spawn(process.execPath, [script, JSON.stringify(this.#input)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [vaultKeyVariable]: this.#vaultKey },
    });
    child.stdout?.resume();
    return child;
  }
}
