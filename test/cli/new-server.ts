import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deb } from '../../scripts/cli/packages.mjs';
import { root } from '../../scripts/setup/packages.mjs';
import { smallCity } from '../integration/cli/run-cli.ts';
import type { EmbeddedService } from '../service/model.ts';
import type { OrdinaryUser } from './ordinary-user.ts';

const execute = promisify(execFile);

/** Folders that the unit and the documents name for the service’s files. */
const configuration = '/etc/tilelift';
const state = '/var/lib/tilelift';

/**
 * Prepares a folder with the package, a token and a rules file for setting up this computer as a server.
 * The setup runs as root, the service as the ordinary user.
 */
export async function newServer(user: OrdinaryUser, service: EmbeddedService) {
  for (const folder of [configuration, state]) {
    const present = await readdir(folder).catch(() => []);
    if (present.length > 0) throw new Error(`${folder} contains files already: ${present.join(', ')}`);
  }
  const [work, incoming, credentials] = ['work', 'in', 'credentials'].map((name) =>
    join(user.folder, name),
  ) as [string, string, string];
  for (const folder of [work, incoming, credentials]) await rm(folder, { recursive: true, force: true });
  for (const folder of [work, incoming, state, credentials]) await mkdir(folder, { recursive: true });
  for (const folder of [incoming, state, credentials]) await user.own(folder);
  await symlink(dirname(deb), join(work, 'dist'));
  await symlink(deb, join(work, basename(deb)));
  await writeFile(
    join(work, 'token'),
    service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']),
  );
  const guide = await readFile(join(root, 'docs', 'server-setup.md'), 'utf8');
  const [, rules = ''] = /```json\n(.*?)```/s.exec(guide) ?? [];
  const ownPlaces = { 'https://api.example.com': service.baseUrl, 'https://example.com': service.authUrl };
  const ownRules = Object.entries({ ...ownPlaces, '/srv/in': incoming }).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    rules,
  );
  await writeFile(join(work, 'rules.json'), ownRules);
  // This replaces sudo, which root may lack.
  const programs = join(user.folder, 'programs');
  await mkdir(programs, { recursive: true });
  await writeFile(join(programs, 'sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });

  return {
    /** Runs a command as a document shows it. */
    carryOut: (command: string) =>
      execute('/bin/sh', ['-c', command], {
        cwd: work,
        env: {
          PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin`,
          HOME: work,
          DEBIAN_FRONTEND: 'noninteractive',
        },
      }),
    /** Copies the unit’s credentials for the service like systemd, and returns the unit’s command. */
    start: async () => {
      const unit = await readFile('/usr/lib/systemd/system/tilelift.service', 'utf8');
      for (const [, name = '', from = ''] of unit.matchAll(/^LoadCredential=([\w-]+):(\S+)$/gm)) {
        const to = join(credentials, name);
        await writeFile(to, await readFile(from));
        await chmod(to, 0o400);
        await user.own(to);
      }
      return /^ExecStart=(.+)$/m.exec(unit)?.[1] ?? 'false';
    },
    environment: { CREDENTIALS_DIRECTORY: credentials, STATE_DIRECTORY: state },
    arrive: async (name: string) => user.own(await smallCity(incoming, name)),
    leave: async () => {
      for (const folder of [configuration, state]) await rm(folder, { recursive: true, force: true });
    },
  };
}
