import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  tidingSchema,
  vaultKeyVariable,
  type WatcherInput,
  type WatcherMessage,
  type WatcherOrder,
} from './watcher-messages.ts';

/** The watching process, which is restarted on the same folder after a kill. */
export class Watcher {
  readonly #input: WatcherInput;
  readonly #vaultKey: string;
  readonly #listeners = new Set<(tiding: WatcherMessage) => void>();
  #child: ChildProcess;

  constructor(input: WatcherInput, vaultKey: string) {
    this.#input = input;
    this.#vaultKey = vaultKey;
    this.#child = this.#start();
  }

  /**
   * Kills the process, like a power cut, and restarts it. Throws if it had exited. `whileStopped` runs
   * between both.
   */
  async killAndRestart(whileStopped?: () => Promise<void>): Promise<void> {
    this.checkAlive();
    const childClosed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await childClosed;
    await whileStopped?.();
    this.#child = this.#start();
  }

  async backUp(targetFolder: string): Promise<void> {
    await this.killAndRestart(() => cp(this.#input.folder, targetFolder, { recursive: true }));
  }

  /**
   * Restores the user data except the journal's age, by which a restore is detected
   * (`main/watch/state/restored-journal.ts`), and keeps the replaced ones next to them.
   */
  async putBack(backupFolder: string): Promise<void> {
    const { folder } = this.#input;
    const before = `${folder}-before`;
    await this.killAndRestart(async () => {
      await rename(folder, before);
      await cp(backupFolder, folder, { recursive: true });
      await cp(join(before, 'journal-age.json'), join(folder, 'journal-age.json'));
    });
  }

  checkAlive(): void {
    if (this.#child.exitCode !== null)
      throw new Error(`the watcher ended by itself: ${this.#child.exitCode}`);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const childClosed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await childClosed;
  }

  /** Resolves when it has signed in and has its rules. Throws if it exits before. */
  async watching(): Promise<void> {
    this.checkAlive();
    const child = this.#child;
    const childClosed = once(child, 'close').then(() => this.checkAlive());
    if (child.stdout) await Promise.race([once(child.stdout, 'data'), childClosed]);
  }

  /** Does nothing while the process is off. */
  send(order: WatcherOrder): void {
    if (this.#child.connected) this.#child.send(order);
  }

  onTiding(listener: (tiding: WatcherMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Edits a rule's ignore lines and returns the number of affected sources. */
  async edit(ruleId: string, ignore: readonly string[]): Promise<number> {
    return new Promise((resolve, reject) => {
      const stop = this.onTiding((tiding) => {
        if (tiding.kind === 'held') return;
        stop();
        if (tiding.kind === 'edited') resolve(tiding.concerned);
        else reject(new Error(`the rule could not be edited: ${tiding.error}`));
      });
      this.send({ kind: 'edit', ruleId, ignore: [...ignore] });
    });
  }

  #start(): ChildProcess {
    const script = join(import.meta.dirname, 'watcher-process.ts');
    const child = spawn(process.execPath, [script, JSON.stringify(this.#input)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, [vaultKeyVariable]: this.#vaultKey },
    });
    child.stdout?.resume();
    child.on('message', (message) => {
      const tiding = tidingSchema.parse(message);
      for (const listener of [...this.#listeners]) listener(tiding);
    });
    // Ignores messages sent during a kill.
    child.on('error', () => {});
    return child;
  }
}
