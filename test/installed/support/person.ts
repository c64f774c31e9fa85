import { execFile } from 'node:child_process';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { endProcessesOf } from './processes.ts';

const execute = promisify(execFile);

/** An ordinary user of this machine, made for a test. */
export interface Person {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  /** Writes a file of the user, and its folders. The path is relative to the home. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Ends the user's processes and removes the user with the home. */
  remove(): Promise<void>;
}

export async function makePerson(): Promise<Person> {
  const name = `tilelift-t${process.pid}`;
  await execute('useradd', ['--create-home', '--shell', '/bin/bash', name]);
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (which) => Number((await execute('id', [which, name])).stdout)),
  );
  if (uid === undefined || gid === undefined) throw new Error(`There is no user ${name}`);
  const home = join('/home', name);
  /** The user owns each folder on the path. */
  const makeFolder = async (path: string): Promise<void> => {
    const whole = join(home, path);
    if (whole === home) return;
    await makeFolder(dirname(path));
    await mkdir(whole, { recursive: true });
    await chown(whole, uid, gid);
  };
  return {
    name,
    uid,
    gid,
    home,
    write: async (path, content) => {
      await makeFolder(dirname(path));
      await writeFile(join(home, path), content);
      await chown(join(home, path), uid, gid);
    },
    remove: async () => {
      await endProcessesOf(uid);
      await execute('userdel', ['--remove', name]).catch((error: unknown) => {
        // It also complains about the mail spool, which never existed.
        if (!String(error).includes('mail spool')) throw error;
      });
    },
  };
}
