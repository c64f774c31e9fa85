import { execFile } from 'node:child_process';
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright';
import { eventually } from './eventually.ts';
import { packagedExecutable, sandboxArguments } from './packaged-app.ts';

const execute = promisify(execFile);

/** Debian's Chromium reads administrators' policies here; writing requires root. */
const policyFolder = '/etc/chromium/policies/managed';
const policyFile = join(policyFolder, 'tilelift-test.json');

/**
 * Chromium as the session's browser, and Tilelift as the handler of `tilelift:` addresses, both installed by
 * desktop entries.
 */
export interface SystemBrowser {
  /** The page that `xdg-open` opened at an address with this prefix; waits for it. */
  pageAt(prefix: string): Promise<Page>;
  close(): Promise<void>;
}

export async function installSystemBrowser(
  folder: string,
  userData: string,
  signInOrigin: string,
  { refusesLinks = false } = {},
): Promise<SystemBrowser> {
  const applications = join(process.env.XDG_DATA_HOME ?? '', 'applications');
  const port = await freePort();
  await mkdir(applications, { recursive: true });
  await writeEntry(applications, 'tilelift-test', 'x-scheme-handler/tilelift', [
    packagedExecutable(),
    ...sandboxArguments,
    `--user-data-dir=${userData}`,
  ]);
  await writeEntry(applications, 'chromium-test', 'x-scheme-handler/http;x-scheme-handler/https', [
    '/usr/bin/chromium',
    ...sandboxArguments,
    ...[
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${join(folder, 'chromium')}`,
  ]);
  await execute('update-desktop-database', [applications]);
  await execute('xdg-mime', ['default', 'tilelift-test.desktop', 'x-scheme-handler/tilelift']);
  for (const scheme of ['http', 'https']) {
    await execute('xdg-mime', ['default', 'chromium-test.desktop', `x-scheme-handler/${scheme}`]);
  }
  await setBrowserPolicy(
    refusesLinks
      ? { URLBlocklist: ['tilelift:*'] }
      : { AutoLaunchProtocolsFromOrigins: [{ protocol: 'tilelift', allowed_origins: [signInOrigin] }] },
  );

  let browser: Browser | undefined;
  return {
    pageAt: async (prefix) => {
      browser ??= await eventually(() => chromium.connectOverCDP(`http://127.0.0.1:${port}`));
      return pageIn(browser, prefix);
    },
    close: async () => {
      // Closing over the protocol ends the whole browser, which only this test uses.
      const session = await browser?.newBrowserCDPSession();
      await session?.send('Browser.close').catch(() => undefined);
      // It writes its profile until the end and removes the profile's lock last.
      await eventually(() => isGone(join(folder, 'chromium', 'SingletonLock')));
      await rm(policyFile, { force: true });
    },
  };
}

/** Waits for a page whose address begins with the prefix. */
export function pageIn(browser: Browser, prefix: string): Promise<Page> {
  return eventually(() => {
    const pages = browser.contexts().flatMap((context) => context.pages());
    const page = pages.find((candidate) => candidate.url().startsWith(prefix));
    if (!page)
      throw new Error(`Chromium shows ${pages.map((candidate) => candidate.url()).join(', ') || 'nothing'}`);
    return page;
  });
}

async function writeEntry(
  folder: string,
  name: string,
  types: string,
  command: readonly string[],
): Promise<void> {
  const exec = command.map((part) => `"${part}"`).join(' ');
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${name}`,
    `Exec=${exec} %u`,
    `MimeType=${types};`,
    '',
  ];
  await writeFile(join(folder, `${name}.desktop`), lines.join('\n'));
}

/** Throws while the link exists, even a dangling one. */
async function isGone(link: string): Promise<void> {
  const there = await lstat(link).catch(() => undefined);
  if (there) throw new Error(`${link} is still there`);
}

/** Chromium asks before it starts another program, unless a policy allows or forbids it. */
async function setBrowserPolicy(policy: object): Promise<void> {
  await mkdir(policyFolder, { recursive: true });
  await writeFile(policyFile, JSON.stringify(policy));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port')),
      );
    });
  });
}
