import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { TileliftError } from '../errors.ts';
import type { SourceFile } from './model.ts';
import type { PartRange } from './plan.ts';

/** Reads one source file, as it was at the scan or not at all: size and mtime are compared whenever something was read. */
export class SourceReader {
  readonly #file: SourceFile;
  #handle: Promise<FileHandle> | null = null;

  constructor(file: SourceFile) {
    this.#file = file;
  }

  /**
   * Fills the front of `buffer` with one part and gives that view of it.
   *
   * @throws TileliftError `source-changed` or `source-unreadable`, naming the file
   */
  async read({ offset, length }: PartRange, buffer: Buffer): Promise<Buffer> {
    const view = buffer.subarray(0, length);
    await this.#guard(async () => {
      this.#handle ??= open(this.#file.path, 'r');
      const handle = await this.#handle;
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(view, filled, length - filled, offset + filled);
        if (bytesRead === 0) throw this.#changed();
        filled += bytesRead;
      }
      this.#compare(await handle.stat());
    });
    return view;
  }

  /** Compares what now lies at the path, which may be another file by now. */
  async check(): Promise<void> {
    await this.#guard(async () => this.#compare(await stat(this.#file.path)));
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    // A file that could not be opened has nothing to close; `read` has told why.
    await handle?.then(
      (opened) => opened.close(),
      () => {},
    );
  }

  #compare(found: Stats): void {
    if (found.size !== this.#file.size || found.mtimeMs !== this.#file.mtimeMs) throw this.#changed();
  }

  #changed(cause?: unknown): TileliftError {
    return new TileliftError('source-changed', { subject: this.#file.path, cause });
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (cause instanceof TileliftError) throw cause;
      const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
      if (missing) throw this.#changed(cause);
      throw new TileliftError('source-unreadable', { subject: this.#file.path, cause });
    }
  }
}
