/** A program that writes step by step on command: a child process with its own open files. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Step =
  | { readonly kind: 'open'; readonly path: string; readonly flags: string }
  /** Sets the full size at once, without content. */
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'write'; readonly byte: number; readonly length: number; readonly at: number | null }
  | { readonly kind: 'close' };

export class SlowWriter implements AsyncDisposable {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), ['as-writer'], { execArgv: [] });

  async do(step: Step): Promise<void> {
    const done = once(this.#child, 'message');
    this.#child.send(step);
    await done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

if (process.argv[2] === 'as-writer') {
  let file = -1;
  process.on('message', (step: Step) => {
    if (step.kind === 'open') file = openSync(step.path, step.flags);
    else if (step.kind === 'truncate') ftruncateSync(file, step.size);
    else if (step.kind === 'write') {
      writeSync(file, Buffer.alloc(step.length, step.byte), 0, step.length, step.at);
      fsyncSync(file);
    } else closeSync(file);
    process.send?.('done');
  });
}
