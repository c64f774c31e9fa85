import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Creates a root folder with only the deb of the command, a shell, and this system’s C and C++ libraries:
 * no X, GTK, bus or desktop.
 */
export async function makeBareRoot(root: string, deb: string): Promise<void> {
  await mkdir(root, { recursive: true });
  await execute('dpkg-deb', ['--extract', deb, root]);
  await put(root, '/bin/sh');
  for (const program of ['/bin/sh', join(root, 'usr/lib/tilelift-cli/node')])
    for (const library of await librariesOf(program)) await put(root, library);
  await mkdir(join(root, 'etc'), { recursive: true });
  await writeFile(join(root, 'etc', 'hosts'), '127.0.0.1 localhost\n');
  await mkdir(join(root, 'tmp'), { recursive: true });
}

/** Lists all files of the root by relative path. */
export async function filesOf(root: string): Promise<readonly string[]> {
  return readdir(root, { recursive: true });
}

/** Returns the absolute paths of the libraries that the loader finds. */
async function librariesOf(program: string): Promise<readonly string[]> {
  const { stdout } = await execute('ldd', [program]);
  return [...stdout.matchAll(/(?:=> |^\s)(\/\S+) \(/gm)].map(([, path = '']) => path);
}

async function put(root: string, path: string): Promise<void> {
  await mkdir(join(root, dirname(path)), { recursive: true });
  await cp(await realpath(path), join(root, path));
}
