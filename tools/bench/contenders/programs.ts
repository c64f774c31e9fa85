import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { plainEnvironment } from './contender.ts';

export interface Program {
  readonly file: string;
  /** First line of what it says to the question for its version. */
  readonly version: string;
}

const exec = promisify(execFile);

/** Every program of that name on PATH that tells its version, each once. */
export async function findPrograms(name: string, ...question: string[]): Promise<readonly Program[]> {
  const found = new Map<string, Program>();
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    try {
      await access(file, constants.X_OK);
      const real = await realpath(file);
      if (found.has(real)) continue;
      const { stdout } = await exec(file, question, { env: plainEnvironment() });
      found.set(real, { file, version: stdout.split('\n')[0]?.trim() ?? '' });
    } catch {
      // Not here, or here and broken: either way no contender.
    }
  }
  return [...found.values()];
}
