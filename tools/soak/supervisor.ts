import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const script = join(import.meta.dirname, '..', '..', 'main', 'command.ts');

/** Starts `tilelift watch` and restarts it when it ends, like systemd. */
export class Supervisor {
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess;
  #isWanted = true;
  kills = 0;
  #crashReason: string | null = null;

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
    if (this.#crashReason !== null) throw new Error(`the service ended by itself: ${this.#crashReason}`);
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    if (this.#child.exitCode !== null) return;
    const childClosed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await childClosed;
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [script, ...this.#args], {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: this.#env,
    });
    child.on('close', (code, signal) => {
      if (!this.#isWanted) return;
      if (signal !== 'SIGKILL') this.#crashReason = `${code}`;
      this.#child = this.#start();
    });
    return child;
  }
}
