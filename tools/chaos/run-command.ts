import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Command<Given extends { readonly json: boolean }> {
  readonly usage: string;
  /** Null: help was asked for. Throws Error for what can't be understood. */
  readonly read: (given: readonly string[]) => Given | null;
  /**
   * Works in a folder of its own, which is gone afterwards. Gives the result, shown as the last line, and
   * whether it is a good one.
   */
  readonly work: (
    given: Given,
    folder: string,
    say: (text: string) => void,
  ) => Promise<{ readonly result: object; readonly isGood: boolean }>;
}

/**
 * Gives the exit code: 0 for a good result, 1 for another, 2 for bad arguments. With `--json` readable lines
 * go to stderr and the result alone to stdout.
 */
export async function runCommand<Given extends { readonly json: boolean }>(
  command: Command<Given>,
): Promise<number> {
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
  try {
    const { result, isGood } = await work(given, folder, (text) => void output.write(`${text}\n`));
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return isGood ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
