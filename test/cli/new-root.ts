import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Creates a root folder with a new Debian: only the essential packages of this computer, and apt. */
export async function makeNewRoot(root: string): Promise<void> {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(join(root, 'usr', folder), { recursive: true });
    await symlink(`usr/${folder}`, join(root, folder));
  }
  await mkdir(join(root, 'var/lib/dpkg'), { recursive: true });
  const copy = `dpkg-query --status "$@" >"$0/var/lib/dpkg/status"
    dpkg-query --listfiles "$@" | grep '^/' | grep -vxE '/(s?bin|lib(64)?)' |
      grep -vE '^/usr/share/(doc|man|locale)/' | sort -u |
      tar -c --no-recursion --ignore-failed-read -T - | tar -x -C "$0" --keep-directory-symlink
    cp /etc/passwd /etc/group "$0/etc"
    echo '127.0.0.1 localhost' >"$0/etc/hosts"`;
  await execute('/bin/sh', ['-ec', copy, root, ...(await essentialPackages())]);
}

/** Names of the essential packages, apt, and what they depend on. */
async function essentialPackages(): Promise<ReadonlySet<string>> {
  const fields = ['Package', 'db:Status-Status', 'Essential', 'Provides', 'Pre-Depends', 'Depends'];
  const format = fields.map((field) => `\${${field}}`).join('\t');
  const { stdout } = await execute('dpkg-query', ['--show', '--showformat', `${format}\n`]);
  const lines = stdout.split('\n').map((line) => line.split('\t'));
  const installedRows = lines.filter(([, status]) => status === 'installed');
  const namesOf = (list = '') => list.split(/[,|]/).map((item) => item.trim().replace(/[ (:].*/, ''));
  const packages = new Map(
    installedRows.map(([name = '', , , , ...dependencies]) => [name, dependencies.flatMap(namesOf)]),
  );
  for (const [name = '', , , provides] of installedRows)
    for (const providedName of namesOf(provides))
      if (!packages.has(providedName)) packages.set(providedName, [name]);
  const neededNames = new Set(
    installedRows.filter(([, , essential]) => essential === 'yes').map(([name = '']) => name),
  );
  // The loop also visits names added meanwhile.
  for (const name of neededNames.add('apt'))
    for (const dependency of packages.get(name) ?? [])
      if (packages.has(dependency)) neededNames.add(dependency);
  const realNames = new Set(installedRows.map(([name]) => name));
  return new Set([...neededNames].filter((name) => realNames.has(name)));
}
