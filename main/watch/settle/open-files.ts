import { readdir, readFile, readlink } from 'node:fs/promises';
import { createPage } from '../../source/pages.ts';

/** Lowest two bits of a file’s flags: 0 reads only (`open(2)`). */
const accessMode = 0b11;

/** Names in a folder of the system’s; none where it is gone or belongs to others. */
export type ListNames = (path: string) => Promise<readonly string[]>;

/** Processes end while they are looked at, and most of them belong to others. */
const listNames: ListNames = (path) => readdir(path).catch(() => []);

/** One look at all processes, for all who asked before it began. */
interface Look {
  readonly wanted: ReadonlySet<string>[];
  readonly open: Promise<ReadonlySet<string>>;
}

/**
 * Which files programs have open for writing, as far as Linux tells this user. A look at all processes takes as long for one file as for thousands: who
 * asks while one goes on shares the next with all others who do.
 */
export class OpenFiles {
  readonly #proc: string;
  readonly #list: ListNames;
  #next: Look | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** @param proc where Linux tells of its processes */
  constructor(proc = '/proc', list = listNames) {
    this.#proc = proc;
    this.#list = list;
  }

  /** One of these files, by their real paths, that a program has open for writing at some time after this was asked; null when none has. */
  async findAmong(paths: ReadonlySet<string>): Promise<string | null> {
    this.#next ??= this.#lookAfterThis();
    this.#next.wanted.push(paths);
    for (const path of await this.#next.open) if (paths.has(path)) return path;
    return null;
  }

  #lookAfterThis(): Look {
    const wanted: ReadonlySet<string>[] = [];
    const open = this.#last.then(() => {
      // From here on who asks waits for the one after it.
      this.#next = null;
      return this.#look((path) => wanted.some((paths) => paths.has(path)));
    });
    this.#last = open.catch(() => {});
    return { wanted, open };
  }

  async #look(isWanted: (path: string) => boolean): Promise<ReadonlySet<string>> {
    const page = createPage();
    const found = new Set<string>();
    for (const pid of await this.#list(this.#proc)) {
      if (!/^\d+$/.test(pid)) continue;
      const process = `${this.#proc}/${pid}`;
      await Promise.all(
        (await this.#list(`${process}/fd`)).map(async (descriptor) => {
          const path = await readlink(`${process}/fd/${descriptor}`).catch(() => '');
          if (isWanted(path) && (await writes(`${process}/fdinfo/${descriptor}`))) found.add(path);
        }),
      );
      if (page.isFull()) await page.turn();
    }
    return found;
  }
}

async function writes(fdinfo: string): Promise<boolean> {
  const text = await readFile(fdinfo, 'utf8').catch(() => '');
  const flags = /^flags:\s*([0-7]+)/m.exec(text)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & accessMode) !== 0;
}
