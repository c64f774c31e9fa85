import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface CommonOptions {
  readonly json: boolean;
  readonly keep?: boolean;
}

interface Command<Options extends CommonOptions> {
  readonly usage: string;
  /** Returns null for `--help`. Throws an error for invalid arguments. */
  readonly read: (args: readonly string[]) => Options | null;
  /** Runs in a temporary folder. Returns the result, shown as the last line, and whether it is good. */
  readonly work: (
    options: Options,
    folder: string,
    say: (text: string) => void,
  ) => Promise<{ readonly result: object; readonly isGood: boolean }>;
}

/**
 * Returns the exit code: 0 for a good result, 1 for a bad one, 2 for bad arguments. `--json` moves all other
 * lines to stderr.
 */
export async function runCommand<Given extends CommonOptions>(command: Command<Given>): Promise<number> {
  const { usage, read, work } = command;
  let options: Given | null;
  try {
    options = read(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    return 2;
  }
  if (!options) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const output = options.json ? process.stderr : process.stdout;
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-run-'));
  const say = (text: string) => void output.write(`${text}\n`);
  let isKept = options.keep ?? false;
  try {
    const { result, isGood } = await work(options, folder, say);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    isKept &&= !isGood;
    return isGood ? 0 : 1;
  } finally {
    if (isKept) say(`What it left is in ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
