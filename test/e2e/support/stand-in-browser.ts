import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/**
 * Stands where the system browser stands: an `xdg-open` found first on PATH that writes down the address it
 * was given. The test then does at that address what a person would.
 */
export interface StandInBrowser {
  /** The environment that makes Tilelift find it. */
  readonly env: Readonly<Record<string, string>>;
  /** The n-th address that was opened, counted from 1; waits for it. */
  opened(count: number): Promise<string>;
}

export async function standInBrowser(folder: string): Promise<StandInBrowser> {
  const bin = join(folder, 'bin');
  const list = join(folder, 'opened-addresses');
  await mkdir(bin, { recursive: true });
  await writeFile(list, '');
  await writeProgram(join(bin, 'xdg-open'), `printf '%s\\n' "$1" >> '${list}'`);
  // The system has a program for our links, as after an installation.
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

/** A shell script that the program under test finds first on its PATH. */
export async function writeProgram(path: string, line: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${line}\n`);
  await chmod(path, 0o755);
}
