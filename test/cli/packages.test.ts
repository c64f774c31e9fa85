import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deb, tarball } from '../../scripts/cli/packages.mjs';
import { writeBillOfMaterials } from '../../scripts/package/bill-of-materials.mjs';
import { noticesName } from '../../scripts/package/notices.mjs';
import { projectNode, root } from '../../scripts/setup/packages.mjs';
import { differenceFromDocumented } from '../packed/support/documented-size.ts';
import { unnoticed } from '../packed/support/unnoticed.ts';
import type { EmbeddedService } from '../service/model.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import type { Guide, GuideEnd } from './follow-guide.ts';
import { makeNewRoot } from './new-root.ts';
import { type OrdinaryUser, ordinaryUser } from './ordinary-user.ts';

const execute = promisify(execFile);

/** Waits for the package lock, since another step may be installing packages. */
const apt = (...args: readonly string[]) =>
  execute('apt-get', ['-y', '-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

/** Real data, if present. */
const sample = join(import.meta.dirname, '..', '..', '..', 'shared', 'samples', 'Reichstag.zip');
const partBytes = 8 * 1024 * 1024;
/** More than one part. */
const madeBytes = 3 * partBytes;

let user: OrdinaryUser;
let service: EmbeddedService;
/** Each test uses a new journal. */
let home: string;
let homes = 0;
const running = new Set<ReturnType<typeof spawn>>();
beforeAll(async () => {
  user = await ordinaryUser();
});
afterAll(async () => {
  await user?.leave();
});
beforeEach(async () => {
  service = await startEmbeddedService({ tilingMs: 300 });
  home = join(user.folder, `home-${homes++}`);
  await mkdir(home);
  await user.own(home);
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await service?.stop();
});

const hurried = { TILELIFT_POLL_MS: '100', TILELIFT_SETTLE_MS: '1000' };

/** Calls a command as the ordinary user without this environment: no display, session or npm. */
function call(
  command: string,
  args: readonly string[],
  extraVariables: Readonly<Record<string, string>> = {},
) {
  const child = spawn(command, args, {
    ...{ uid: user.uid, gid: user.gid, cwd: user.folder },
    env: { HOME: home, PATH: `${join(projectNode(), '..')}:/usr/bin:/bin`, ...hurried, ...extraVariables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const commandEnded = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code, stdout, stderr };
  });
  return { child, ended: commandEnded, stdout: () => stdout, stderr: () => stderr };
}

async function installPackage(name: string, prefix: string | null): Promise<string> {
  const path = join(user.folder, name);
  if (prefix !== null) await copyFile(prefix, path);
  else {
    const head = '<?xml version="1.0"?>\n<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0">\n';
    await writeFile(path, `${head}<!--${'x'.repeat(madeBytes)}-->\n</core:CityModel>\n`);
  }
  await user.own(path);
  return path;
}

/** Signs in, uploads, kills the upload midway, and resumes it until COMPLETE. */
async function journey(command: string, source: string, sourceType: string): Promise<void> {
  const token = join(home, 'token');
  await writeFile(token, service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']));
  await execute('chmod', ['600', token]);
  await user.own(token);
  const { baseUrl, authUrl } = service;
  const signIn = call(command, ['sign-in', '--service', baseUrl, authUrl, '--token-file', token]);
  expect(await signIn.ended).toMatchObject({ code: 0, stderr: '' });
  const upload = ['upload', source, '--source-type', sourceType, '--json'];
  // The first of several parts arrives; a single request stays unfinished.
  const expectedCode = (await stat(source)).size > partBytes ? 1 : 0;
  service.control.addFault({
    match: { room: 'storage', method: 'PUT', after: expectedCode, times: 100 },
    action: { kind: 'hold' },
  });

  const firstUpload = call(command, upload);
  await expect
    .poll(() => service.control.requests().some(({ room, method }) => room === 'storage' && method === 'PUT'))
    .toBe(true);
  await expect.poll(firstUpload.stdout).toContain('"status":"uploading"');
  const maps = await readFile(`/proc/${firstUpload.child.pid}/maps`, 'utf8').catch(() => '');
  firstUpload.child.kill('SIGKILL');
  expect(await firstUpload.ended).toMatchObject({ code: null });
  service.control.clearFaults();
  const secondUpload = await call(command, upload).ended;

  expect(secondUpload).toMatchObject({ code: 0 });
  expect(maps).not.toMatch(/libX11|libgtk|libxcb|libwayland/);
  const assets = service.control.assets();
  expect(assets).toEqual([expect.objectContaining({ status: 'COMPLETE' })]);
  const sha256 = createHash('sha256')
    .update(await readFile(source))
    .digest('hex');
  const objects = await service.control.objects(`sources/${assets[0]?.id}/`);
  expect(objects).toEqual([
    expect.objectContaining({ key: expect.stringContaining(basename(source)), sha256 }),
  ]);
  const lastLine = secondUpload.stdout.trimEnd().split('\n').at(-1) ?? '';
  expect(JSON.parse(lastLine)).toMatchObject({ version: 1, event: 'result', exitCode: 0 });
}

it('the tarball has the documented size, packed and installed', async () => {
  const { size } = await stat(tarball);
  const { stdout } = await execute('tar', ['-tvzf', tarball]);
  const unpacked = [...stdout.matchAll(/^-\S+ \S+\s+(\d+) /gm)].map(([, bytes]) => Number(bytes));
  expect(differenceFromDocumented('command, tarball', size)).toBeLessThan(0.05);
  const installedBytes = unpacked.reduce((sum, bytes) => sum + bytes, 0);
  expect(differenceFromDocumented('command, installed by npm', installedBytes)).toBeLessThan(0.05);
});

it('the tarball lists the bundled packages and Node in its bill of materials, and no tools', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-bill-'));
  const bill = JSON.parse(await readFile(join(folder, writeBillOfMaterials('command', folder)), 'utf8'));
  await rm(folder, { recursive: true });
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'tilelift-cli' } } });
  const components: readonly { name: string; version: string }[] = bill.components;
  const licenceLines = components.map(({ name, version }) => `\n${name} ${version} (`).join('');
  expect(unnoticed(licenceLines, ['command'])).toEqual([]);
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['node', 'proj4', 'EPSG Geodetic Parameter Dataset']));
  expect(names.filter((name) => ['vitest', 'playwright', 'electron', 'svelte'].includes(name))).toEqual([]);
});

it('the tarball contains the notices of every package in its bundle, and `tilelift licenses` prints them', async () => {
  const folder = join(user.folder, 'unpacked');
  await mkdir(folder);
  await execute('tar', ['-xzf', tarball, '-C', folder]);
  await user.own(folder);
  const notices = await readFile(join(folder, 'package', noticesName), 'utf8');
  expect(unnoticed(notices, ['command'])).toEqual([]);
  expect(notices).toContain('Node.js is licensed for use as follows');
  expect(notices).toContain('epsg.org/terms-of-use');
  const printedRun = await call(projectNode(), [join(folder, 'package/bin/tilelift.js'), 'licenses']).ended;
  expect(printedRun).toEqual({ code: 0, stdout: notices, stderr: '' });
});

it('the tarball installs by npm without a network, uploads, and resumes after a kill', async () => {
  const prefix = join(user.folder, 'prefix');
  const install = ['install', '--global', '--offline', '--prefix', prefix, tarball];
  const { stdout: npm } = await execute('which', ['npm']);
  const { code, stderr } = await call(npm.trim(), install).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const command = join(prefix, 'bin', 'tilelift');
  expect((await call(command, ['--version']).ended).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  await journey(command, await installPackage('city.gml', null), 'CITYGML');
});

/** Libraries that Node and a shell link to. */
const systemLibraries = /^(ld-linux|lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+|atomic))[-.]/;

/** Reason why the deb can’t be installed here, or false. */
const noDeb =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'only root can install a package'
    : !existsSync(deb)
      ? 'no deb was made'
      : existsSync('/usr/lib/tilelift-cli') && 'it is installed here already and would be removed';

describe.skipIf(noDeb)(`the deb${noDeb ? ` (${noDeb})` : ''}`, () => {
  afterAll(async () => {
    if (existsSync('/usr/lib/tilelift-cli')) await apt('purge', 'tilelift-cli');
  });

  it('installs its own Node and the command, uploads, and resumes after a kill', async () => {
    await apt('install', deb);

    const source = existsSync(sample)
      ? await installPackage('Reichstag.zip', sample)
      : await installPackage('town.gml', null);
    await journey('/usr/bin/tilelift', source, 'CITYGML');
  });

  it('installs the program’s man page and completions, and the service unit', async () => {
    const { stdout: page } = await call('/usr/bin/tilelift', ['man']).ended;
    expect(await readFile('/usr/share/man/man1/tilelift.1', 'utf8')).toBe(page);
    expect(await readFile('/usr/lib/systemd/system/tilelift.service', 'utf8')).toContain(
      'ExecStart=/usr/bin/tilelift watch',
    );
    const { stdout: bash } = await call('/usr/bin/tilelift', ['completion', 'bash']).ended;
    expect(await readFile('/usr/share/bash-completion/completions/tilelift', 'utf8')).toBe(bash);
  });

  it('has the documented size, installed', async () => {
    const { stdout: kibibytes } = await execute('dpkg-deb', ['--field', deb, 'Installed-Size']);
    const bytes = Number(kibibytes) * 1024;
    expect(differenceFromDocumented('command, installed by apt, with its Node', bytes)).toBeLessThan(0.05);
  });

  it('depends on no desktop library', async () => {
    const { stdout: depends } = await execute('dpkg-deb', ['--field', deb, 'Depends']);
    expect(depends).not.toMatch(/gtk|x11|xcb|nss|asound|atk|cairo/);
    const { stdout: links } = await execute('ldd', ['/usr/lib/tilelift-cli/node']);
    expect(links).not.toMatch(/not found|libX11|libgtk/);
  });

  it('removes all its files when it is purged', async () => {
    await apt('purge', 'tilelift-cli');

    expect(existsSync('/usr/bin/tilelift')).toBe(false);
    expect(existsSync('/usr/lib/tilelift-cli')).toBe(false);
  });
});

const separate = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
const noRoot = noDeb || (spawnSync('unshare', [...separate, 'true']).status !== 0 && 'no namespaces');

describe.skipIf(noRoot)(`a new computer${noRoot ? ` (${noRoot})` : ''}`, () => {
  it.each([
    ['README.md', /a watched folder on a server[^`]*```\n(.*?)```/s],
    ['docs/server-setup.md', /```bash\n(.*?)```/s],
  ])('watches a folder after the commands of %s, from nothing to `status` = 0', async (document, block) => {
    const read = (name: string) => readFile(join(root, name), 'utf8');
    const [, listedText = ''] = block.exec(await read(document)) ?? [];
    const [, rules = ''] = /```json\n(.*?)```/s.exec(await read('docs/server-setup.md')) ?? [];
    const commands = listedText.trim().split(/\n\s*/);
    if (document !== 'README.md') expect(commands.at(-1)).toMatch(/tilelift status$/);
    const newRoot = join(user.folder, basename(document));
    await makeNewRoot(newRoot);

    const guide: Guide = { root: newRoot, deb, commands, rules };
    const program = [process.execPath, join(import.meta.dirname, 'follow-guide.ts'), JSON.stringify(guide)];
    const { stdout } = await execute('unshare', [...separate, ...program]);

    const end: GuideEnd = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(end).toMatchObject({ code: 143, statuses: ['COMPLETE'], wayOut: [] });
    expect(end.libraries.filter((name) => !systemLibraries.test(name))).toEqual([]);
    expect(end.libraries.length).toBeGreaterThan(2);
  });
});
