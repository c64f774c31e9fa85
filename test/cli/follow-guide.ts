/**
 * Root runs this program in separate namespaces: it carries out a guide's commands in a new root
 * (`new-root.ts`), with an embedded service in its network, and uploads a delivery. Its argument is a `Guide`
 * as JSON; its last line of output is a `GuideEnd`. It fails with the first command that fails.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { cityText } from '../deliveries/data.ts';
import { startEmbeddedService } from '../service/start-service.ts';

/** A guide, and the root in which it is followed. */
export interface Guide {
  readonly root: string;
  readonly deb: string;
  readonly commands: readonly string[];
  /** The guide's rules file; its addresses are replaced. */
  readonly rules: string;
}

/** How the service that the guide has started ends. */
export interface GuideEnd {
  readonly code: number | null;
  readonly statuses: readonly unknown[];
  /** Interfaces other than the loopback. */
  readonly wayOut: readonly string[];
  /** Libraries that the service has loaded. */
  readonly libraries: readonly string[];
}

const execute = promisify(execFile);
const { root, deb, commands, rules } = JSON.parse(process.argv[2] ?? '') as Guide;
/** systemd gives the service a user of this range. */
const dynamicUser = 61_184;
const environment = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' };

await execute('ip', ['link', 'set', 'lo', 'up']);
await execute('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
await writeFile(join(root, 'dev/null'), '');
await execute('mount', ['--bind', '/dev/null', join(root, 'dev/null')]);
const { control, baseUrl, authUrl, stop } = await startEmbeddedService({ tilingMs: 100 });
await mkdir(join(root, 'root/dist'), { recursive: true });
for (const folder of ['root', 'root/dist']) await link(deb, join(root, folder, basename(deb)));
const token = control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']);
await writeFile(join(root, 'root/token'), token);
const ownRules = rules.replace('https://api.example.com', baseUrl).replace('https://example.com', authUrl);
await writeFile(join(root, 'root/rules.json'), ownRules);
await mkdir(join(root, 'usr/local/bin'), { recursive: true });
await writeFile(join(root, 'usr/local/bin/sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });

let service: Awaited<ReturnType<typeof startService>> | undefined;
for (const command of commands) {
  const [, name] = /^sudo systemctl enable --now (\S+)$/.exec(command) ?? [];
  if (name !== undefined) service = await startService(name);
  else await execute('chroot', [root, '/bin/sh', '-c', `cd && ${command}`], { env: environment });
}
if (!service) throw new Error('The guide starts no service.');
await writeFile(join(root, 'srv/in/town.gml'), cityText(0));
await service.says('town.gml is complete.');
const maps = await readFile(`/proc/${service.child.pid}/maps`, 'utf8');
service.child.kill('SIGTERM');
const [code] = await once(service.child, 'close');
const end: GuideEnd = {
  code,
  statuses: control.assets().map(({ status }) => status),
  wayOut: Object.keys(networkInterfaces()).filter((name) => name !== 'lo'),
  libraries: [...new Set([...maps.matchAll(/\S+\.so\S*/g)].map(([path]) => basename(path)))],
};
await stop();
process.stdout.write(`\n${JSON.stringify(end)}\n`);

/** Starts a unit's command as systemd would, and waits until it is ready. */
async function startService(name: string) {
  const unit = await readFile(join(root, `usr/lib/systemd/system/${name}.service`), 'utf8');
  const value = (key: string) => new RegExp(`^${key}=(.+)$`, 'm').exec(unit)?.[1] ?? '';
  const [state, credentials] = [`/var/lib/${value('StateDirectory')}`, `/run/credentials/${name}`];
  for (const folder of [state, credentials]) {
    await mkdir(join(root, folder), { recursive: true });
    await chmod(join(root, folder), 0o700);
    await chown(join(root, folder), dynamicUser, dynamicUser);
  }
  const [credential = '', credentialFile = ''] = value('LoadCredential').split(':');
  await copyFile(join(root, credentialFile), join(root, credentials, credential));
  await chown(join(root, credentials, credential), dynamicUser, dynamicUser);
  const child = spawn(
    'chroot',
    [`--userspec=${dynamicUser}:${dynamicUser}`, root, ...value('ExecStart').split(' ')],
    {
      env: {
        ...{ ...environment, HOME: state, STATE_DIRECTORY: state, CREDENTIALS_DIRECTORY: credentials },
        TILELIFT_POLL_MS: '100',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      child.emit('said');
    });
  const serviceEnded = once(child, 'close').then(() =>
    Promise.reject(new Error(`The service ended:\n${output}`)),
  );
  serviceEnded.catch(() => {});
  const waitForOutput = async (words: string) => {
    while (!output.includes(words)) await Promise.race([once(child, 'said'), serviceEnded]);
  };
  await waitForOutput('"watching"');
  return { child, says: waitForOutput };
}
