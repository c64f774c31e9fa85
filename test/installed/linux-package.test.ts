import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIdOf } from '../../main/account/model/model.ts';
import { autostartEntry } from '../../main/desktop/login/xdg-autostart.ts';
import type { WatchRule } from '../../main/watch/model/rule.ts';
import { deb as commandDeb } from '../../scripts/cli/packages.mjs';
import { builtDeb } from '../../scripts/installer/deb-for-tests.mjs';
import { readFuses, shippingFuses } from '../../scripts/package/fuses.mjs';
import { aWatchRule } from '../a-watch-rule.ts';
import { anyFile } from '../deliveries/data.ts';
import { eventually } from '../e2e/support/eventually.ts';
import type { EmbeddedService } from '../service/model.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import { giveBrowser } from './support/browser.ts';
import { type Login, login } from './support/login.ts';
import { makePerson, type Person } from './support/person.ts';
import { processesOf, signal } from './support/processes.ts';

const execute = promisify(execFile);

const executable = '/opt/Tilelift/tilelift';
/** Path of `tilelift` as a shell finds it. */
const launcher = '/opt/Tilelift/resources/bin/tilelift';
const menuEntry = '/usr/share/applications/tilelift.desktop';
const userData = '.config/Tilelift';

let service: EmbeddedService;
let person: Person;
let session: Login;
let presentBefore: readonly string[];
beforeAll(async () => {
  presentBefore = await systemFiles();
  service = await startEmbeddedService({ tilingMs: 300 });
  person = await makePerson();
  await apt('install', '--no-install-recommends', builtDeb() ?? 'no deb was made');
  session = await logIn();
});
afterAll(async () => {
  // Restore the machine even after a failure.
  const restoreSteps = [
    () => session?.logout(),
    () => person?.remove(),
    () => apt('purge', 'tilelift'),
    () => service?.stop(),
  ];
  const failures: unknown[] = [];
  for (const end of restoreSteps)
    await Promise.resolve(end()).catch((error: unknown) => failures.push(error));
  expect(failures).toEqual([]);
});

/** System files named after the product. */
async function systemFiles(): Promise<readonly string[]> {
  const folders = ['/opt', '/usr/bin', '/usr/share', '/etc'];
  const { stdout } = await execute('find', [...folders, '-iname', '*tilelift*']);
  return stdout.split('\n').filter((path) => path && !path.startsWith('/etc/chromium/'));
}

const apt = (...args: readonly string[]) =>
  execute('apt-get', ['-y', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

/** An administrator may set the service for whole sessions. */
const logIn = () =>
  login(person, {
    TILELIFT_SERVICE_NAME: 'Embedded service',
    TILELIFT_SERVICE_API: service.baseUrl,
    TILELIFT_SERVICE_SIGN_IN: service.authUrl,
  });

const visits = (path: string) =>
  service.control.requests().filter((request) => request.path.startsWith(path));

/** Tilelift's main processes; Chromium's helper processes have a `--type`. */
const running = async () =>
  (await processesOf(person.uid)).filter(
    ({ command }) => command[0] === executable && !command.some((part) => part.startsWith('--type=')),
  );

async function quit(): Promise<void> {
  for (const { pid } of await running()) signal(pid, 'SIGTERM');
  await eventually(async () => expect(await running()).toEqual([]));
}

it('the installed package puts the program on the path of every user', async () => {
  expect((await session.run('which', 'tilelift')).trim()).toBe('/usr/bin/tilelift');
  expect((await session.run('readlink', '-f', '/usr/bin/tilelift')).trim()).toBe(launcher);
});

it('the installed package sets every fuse as decided', async () => {
  expect(await readFuses(executable)).toEqual(Object.fromEntries(shippingFuses('linux')));
});

it('the installed package installs a menu entry with an icon of every usual size', async () => {
  expect(await session.run('desktop-file-validate', menuEntry)).toBe('');
  const entry = await readFile(menuEntry, 'utf8');
  expect(entry).toContain('\nName=Tilelift\n');
  expect(entry).toContain(`\nExec=${executable} %U\n`);
  expect(entry).toContain('\nIcon=tilelift\n');
  for (const size of [16, 32, 48, 64, 128, 256])
    expect(existsSync(`/usr/share/icons/hicolor/${size}x${size}/apps/tilelift.png`), `${size}`).toBe(true);
});

it('the installed package registers the program for tilelift: addresses', async () => {
  const handler = await session.run('xdg-mime', 'query', 'default', 'x-scheme-handler/tilelift');
  expect(handler.trim()).toBe('tilelift.desktop');
});

it('the installed package sandboxes without root rights if the kernel offers user namespaces', async () => {
  const { stdout } = await execute('stat', ['-c', '%a %U', '/opt/Tilelift/chrome-sandbox']);
  expect(stdout.trim()).toBe('755 root');
});

describe('command of the installed package', () => {
  /** Like SSH: without a display or session. */
  const command = (...args: readonly string[]) =>
    session.run('env', '-i', `HOME=${person.home}`, 'PATH=/usr/bin:/bin', 'TILELIFT_POLL_MS=100', ...args);

  it('the command of the installed package prints its version and usage without a display', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(await command('tilelift', '--version')).toBe(`${version}\n`);
    expect(await command('tilelift', '--help')).toContain('Usage: tilelift');
  });

  it('the command of the installed package uploads without a display and leaves the desktop’s folder untouched', async () => {
    const { control, baseUrl, authUrl } = service;
    const scopes = ['assets:list', 'assets:read', 'assets:write'] as const;
    await person.write('token', control.makeAccessToken([...scopes]));
    await person.write('pictures/DJI_0001.tif', anyFile('a.tif', 700_000));
    const token = join(person.home, 'token');
    await session.run('chmod', '600', token);
    await command('tilelift', 'sign-in', '--service', baseUrl, authUrl, '--token-file', token);
    const options = ['--source-type', 'RASTER_IMAGERY', '--json'];
    const output = await command('tilelift', 'upload', join(person.home, 'pictures'), ...options);
    const lastLine = output.trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(lastLine)).toMatchObject({ event: 'result', exitCode: 0 });
    expect(control.assets()).toMatchObject([{ name: 'pictures', status: 'COMPLETE' }]);
    expect(existsSync(join(person.home, userData))).toBe(false);
  });
});

const noCommand = !existsSync(commandDeb)
  ? 'it was not made: npm run package -- --cli'
  : existsSync('/usr/lib/tilelift-cli') && 'it is installed here already and would be removed';

describe.skipIf(noCommand)(`beside the package of the command${noCommand ? ` (${noCommand})` : ''}`, () => {
  const commandTarget = async () => (await session.run('readlink', '-f', '/usr/bin/tilelift')).trim();
  const files = async (name: string) =>
    (await execute('dpkg-query', ['--listfiles', name])).stdout.split('\n');

  it('shares no file with it and takes over its command only once that is removed', async () => {
    try {
      await apt('install', '--no-install-recommends', commandDeb);
      expect(await commandTarget()).toBe('/usr/lib/tilelift-cli/tilelift');
      expect(existsSync(executable)).toBe(true);
      const ownFiles = new Set(await files('tilelift'));
      const sharedFiles = (await files('tilelift-cli')).filter(
        (path) => ownFiles.has(path) && !isFolder(path),
      );
      expect(sharedFiles).toEqual([]);
    } finally {
      await apt('purge', 'tilelift-cli');
    }
    expect(await commandTarget()).toBe(launcher);
  });
});

const isFolder = (path: string) => path === '' || path === '/.' || statSync(path).isDirectory();

describe('ordinary user of the installed package', () => {
  it('ordinary user of the installed package: signs in through their browser and stays signed in', async () => {
    const browser = await giveBrowser(person, session, service.authUrl);
    try {
      session.start('tilelift');
      await pressSignIn();
      const page = await browser.pageAt(service.authUrl);
      await page.getByRole('button', { name: 'Allow' }).click();
      await eventually(() => expect(visits('/oauth/token')).toMatchObject([{ status: 200 }]));
      // The instance that the browser started has ended after handing over its address.
      await eventually(async () => expect(await running()).toHaveLength(1));
    } finally {
      await browser.close();
    }
  });

  it('the installed package keeps the user’s default programs', async () => {
    const html = await session.run('xdg-mime', 'query', 'default', 'text/html');
    expect(html).not.toContain('tilelift');
    const chosenHandlers = await readFile(join(person.home, '.config/mimeapps.list'), 'utf8');
    expect(chosenHandlers).not.toContain('tilelift');
  });

  it('ordinary user of the installed package: runs the program with its sandbox', async () => {
    const processes = await processesOf(person.uid);
    const tileliftProcesses = processes.filter(({ command }) => command[0] === executable);
    expect(tileliftProcesses.flatMap(({ command }) => command)).not.toContain('--no-sandbox');
    const page = tileliftProcesses.find(({ command }) => command.includes('--type=renderer'));
    const status = await readFile(`/proc/${page?.pid}/status`, 'utf8');
    expect(status).toMatch(/^Seccomp:\t2$/m);
    const namespace = (pid: number | undefined) => readlink(`/proc/${pid}/ns/user`);
    expect(await namespace(page?.pid)).not.toBe(await namespace(process.pid));
  });

  it('ordinary user of the installed package: gets an asset from a watched folder after the next login, without a window', async () => {
    await quit();
    await session.logout();
    await person.write('incoming/.keep', '');
    const settings = JSON.parse(await readFile(join(person.home, userData, 'settings.json'), 'utf8'));
    await person.write(`${userData}/settings.json`, JSON.stringify({ ...settings, watchRules: [rule()] }));
    // In the format of the switch in Settings.
    await person.write('.config/autostart/tilelift.desktop', autostartEntry(executable, ['--background']));
    session = await logIn();
    session.start('gio', 'launch', join(person.home, '.config/autostart/tilelift.desktop'));
    await eventually(async () => expect(await running()).toHaveLength(1));

    const files = new Map([
      ['DJI_0001.tif', anyFile('a.tif', 9_000_000)],
      ['DJI_0002.tif', anyFile('a.tif', 700_000)],
    ]);
    for (const [name, bytes] of files) await person.write(`incoming/Kai_3/${name}`, bytes);
    const { control } = service;
    const arrived = () => control.assets().filter(({ name }) => name !== 'pictures');
    await eventually(() => expect(arrived()).toMatchObject([{ name: 'Kai_3', status: 'COMPLETE' }]), 90_000);
    const stored = await control.objects(`sources/${String(arrived()[0]?.id)}/`);
    const sums = [...files].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]);
    expect(stored.map(({ key, sha256 }) => [key.split('/').at(-1), sha256])).toEqual(sums);
    // The sign-in of the first session is still valid.
    expect(visits('/oauth/token')).toHaveLength(1);
    await expect(
      session.run('xdotool', 'search', '--onlyvisible', '--class', '^tilelift$'),
    ).rejects.toThrow();
  });
});

/**
 * Clicks and types into the window as displayed. Repeats until it takes effect, because the test can't see
 * when the page is ready.
 */
async function pressSignIn(): Promise<void> {
  const search = ['search', '--sync', '--onlyvisible', '--class', '^tilelift$'];
  const window = (await session.run('xdotool', ...search)).trim().split('\n').at(-1) ?? '';
  await eventually(async () => {
    // A click on empty space moves the focus to the top. Next come the services, with ours second, then the
    // button.
    await session.run('xdotool', 'mousemove', '--sync', '--window', window, '8', '8', 'click', '1');
    await session.run('xdotool', 'windowfocus', window);
    await session.run('xdotool', 'key', '--delay', '100', 'Tab', 'Down', 'Tab', 'Return');
    await eventually(() => expect(visits('/oauth/register')).not.toEqual([]), 5_000);
  }, 60_000);
}

describe('removed package', () => {
  beforeAll(async () => {
    await quit();
    await apt('remove', 'tilelift');
  });

  it('the removed package leaves no program, menu entry or icon', async () => {
    expect(await systemFiles()).toEqual(presentBefore);
  });

  it('the removed package leaves no handler of tilelift: addresses', async () => {
    const handler = await session.run('xdg-mime', 'query', 'default', 'x-scheme-handler/tilelift');
    expect(handler.trim()).toBe('');
    const mimeCache = await readFile('/usr/share/applications/mimeinfo.cache', 'utf8').catch(() => '');
    expect(mimeCache).not.toContain('tilelift');
  });

  it('the removed package leaves no autostart entry', async () => {
    const entry = await readFile(join(person.home, '.config/autostart/tilelift.desktop'), 'utf8');
    const [, program = ''] = /^TryExec=(.*)$/m.exec(entry) ?? [];
    // "If the file is not present …, the entry may be ignored (not be used in menus, for example)."
    expect(program).toBe(executable);
    expect(existsSync(program)).toBe(false);
  });

  it('the removed package keeps the user’s data', async () => {
    for (const file of ['settings.json', 'journal.db', 'vault.json'])
      expect(existsSync(join(person.home, userData, file)), file).toBe(true);
    expect(existsSync(join(person.home, 'incoming/Kai_3/DJI_0001.tif'))).toBe(true);
  });
});

function rule(): WatchRule {
  return aWatchRule({
    id: 'incoming',
    name: 'Incoming',
    folder: join(person.home, 'incoming'),
    accountId: accountIdOf(service.baseUrl),
    sourceType: 'RASTER_IMAGERY',
    ignore: ['.keep'],
  });
}
