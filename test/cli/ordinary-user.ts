import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Unprivileged user with a private folder. */
export interface OrdinaryUser {
  readonly uid: number;
  readonly gid: number;
  readonly folder: string;
  /** Makes the user the owner of a file. */
  own(path: string): Promise<void>;
  leave(): Promise<void>;
}

/** Creates a user if the test runs as root; otherwise returns the current user. */
export async function ordinaryUser(): Promise<OrdinaryUser> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-user-'));
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) {
    const { uid, gid } = userInfo();
    const removeFolder = () => rm(folder, { recursive: true, force: true });
    return { uid, gid, folder, own: async () => {}, leave: removeFolder };
  }
  const name = `tilelift-${randomBytes(4).toString('hex')}`;
  await execute('useradd', ['--no-create-home', '--shell', '/usr/sbin/nologin', name]);
  const { stdout } = await execute('id', ['--user', name]);
  const { stdout: group } = await execute('id', ['--group', name]);
  const [uid, gid] = [Number(stdout), Number(group)];
  await chown(folder, uid, gid);
  return {
    ...{ uid, gid, folder },
    own: (path) => chown(path, uid, gid),
    leave: async () => {
      await rm(folder, { recursive: true, force: true });
      await execute('userdel', [name]);
    },
  };
}
