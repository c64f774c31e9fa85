/**
 * Root runs this program in a separate network namespace: it signs in and uploads from a bare root
 * (`bare-root.ts`) as an ordinary user, to an embedded service in that namespace. Its argument is a
 * `ConfinedUpload` as JSON; its last line of output is a `ConfinedEnd`.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedService } from '../service/start-service.ts';

interface ConfinedUpload {
  readonly root: string;
  readonly uid: number;
  readonly gid: number;
}

export interface ConfinedEnd {
  readonly codes: readonly (number | null)[];
  readonly said: string;
  readonly statuses: readonly unknown[];
  /** Interfaces other than the loopback. */
  readonly wayOut: readonly string[];
  /** Libraries that the command loads while it uploads. */
  readonly libraries: readonly string[];
}

const { root, uid, gid } = JSON.parse(process.argv[2] ?? '') as ConfinedUpload;
await promisify(execFile)('ip', ['link', 'set', 'lo', 'up']);
const service = await startEmbeddedService({ tilingMs: 100 });
const { control, baseUrl, authUrl } = service;
await mkdir(join(root, 'home'));
await put('home/token', control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']), 0o600);
await put(
  'home/town.gml',
  '<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0"></core:CityModel>\n',
);
await chown(join(root, 'home'), uid, gid);

let libraries: readonly string[] = [];
let said = '';
async function call(...args: readonly string[]): Promise<number | null> {
  const command = ['/usr/lib/tilelift-cli/tilelift', ...args];
  const child = spawn('/usr/sbin/chroot', [`--userspec=${uid}:${gid}`, root, ...command], {
    env: { HOME: '/home', PATH: '/usr/bin:/bin', TILELIFT_POLL_MS: '100' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', async (text: string) => {
      said += text;
      const maps = await readFile(`/proc/${child.pid}/maps`, 'utf8').catch(() => '');
      const loaded = [...maps.matchAll(/\S+\.so\S*/g)].map(([path]) => path);
      if (loaded.length > 0) libraries = [...new Set(loaded)];
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

const codes = [
  await call('sign-in', '--service', baseUrl, authUrl, '--token-file', '/home/token'),
  await call('upload', '/home/town.gml', '--source-type', 'CITYGML'),
];
const end: ConfinedEnd = {
  ...{ codes, said, libraries },
  statuses: control.assets().map(({ status }) => status),
  wayOut: Object.keys(networkInterfaces()).filter((name) => name !== 'lo'),
};
await service.stop();
process.stdout.write(`\n${JSON.stringify(end)}\n`);

async function put(path: string, text: string, mode = 0o644): Promise<void> {
  await writeFile(join(root, path), text, { mode });
  await chown(join(root, path), uid, gid);
}
