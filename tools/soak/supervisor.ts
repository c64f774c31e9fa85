import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const script = join(import.meta.dirname, '..', '..', 'main', 'command.ts');

/** Starts `tilelift watch` and restarts it when it ends, like systemd. */
export class Supervisor {
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess;
  #wanted = true;
  kills = 0;
  #fallen: string | null = null;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#args = args;
    this.#env = env;
    this.#child = this.#start();
  }

  kill(): void {
    this.kills += 1;
    this.#child.kill('SIGKILL');
  }

  checkAlive(): void {
    if (this.#fallen !== null) throw new Error(`the service ended by itself: ${this.#fallen}`);
  }

  async stop(): Promise<void> {
    this.#wanted = false;
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await gone;
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [script, ...this.#args], {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: this.#env,
    });
    child.on('close', (code, signal) => {
      if (!this.#wanted) return;
      if (signal !== 'SIGKILL') this.#fallen = `${code}`;
      this.#child = this.#start();
    });
    return child;
  }
}
