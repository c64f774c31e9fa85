import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/**
 * Replaces the system browser: an `xdg-open` on PATH that records the address, which the test then handles.
 */
export interface StandInBrowser {
  readonly env: Readonly<Record<string, string>>;
  /** The n-th opened address, counted from 1; waits for it. */
  opened(count: number): Promise<string>;
}

export async function standInBrowser(folder: string): Promise<StandInBrowser> {
  const bin = join(folder, 'bin');
  const list = join(folder, 'opened-addresses');
  await mkdir(bin, { recursive: true });
  await writeFile(list, '');
  await writeProgram(join(bin, 'xdg-open'), `printf '%s\\n' "$1" >> '${list}'`);
  // The system has a handler for our links, as after an installation.
  await writeProgram(join(bin, 'xdg-mime'), 'echo tilelift.desktop');
  return {
    env: { PATH: `${bin}:${process.env.PATH ?? ''}` },
    opened: (count) =>
      eventually(async () => {
        const address = (await readFile(list, 'utf8')).trim().split('\n')[count - 1];
        if (!address) throw new Error(`Fewer than ${count} addresses were opened in the browser`);
        return address;
      }),
  };
}

/** A shell script that the tested program finds first on PATH. */
export async function writeProgram(path: string, line: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${line}\n`);
  await chmod(path, 0o755);
}
