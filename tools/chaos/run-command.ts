import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Common {
  readonly json: boolean;
  readonly keep?: boolean;
}

interface Command<Given extends Common> {
  readonly usage: string;
  /** Returns null for `--help`. Throws an error for invalid arguments. */
  readonly read: (given: readonly string[]) => Given | null;
  /** Runs in a temporary folder. Returns the result, shown as the last line, and whether it is good. */
  readonly work: (
    given: Given,
    folder: string,
    say: (text: string) => void,
  ) => Promise<{ readonly result: object; readonly isGood: boolean }>;
}

/**
 * Returns the exit code: 0 for a good result, 1 for a bad one, 2 for bad arguments. `--json` moves all other
 * lines to stderr.
 */
export async function runCommand<Given extends Common>(command: Command<Given>): Promise<number> {
  const { usage, read, work } = command;
  let given: Given | null;
  try {
    given = read(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    return 2;
  }
  if (!given) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const output = given.json ? process.stderr : process.stdout;
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-run-'));
  const say = (text: string) => void output.write(`${text}\n`);
  let isKept = given.keep ?? false;
  try {
    const { result, isGood } = await work(given, folder, say);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    isKept &&= !isGood;
    return isGood ? 0 : 1;
  } finally {
    if (isKept) say(`What it left is in ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
