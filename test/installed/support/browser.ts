import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { eventually } from '../../e2e/support/eventually.ts';
import { pageIn } from '../../e2e/support/system-browser.ts';
import type { Login } from './login.ts';
import type { Person } from './person.ts';

/** Managed policies of Debian's Chromium. */
const policyFolder = '/etc/chromium/policies/managed';

/** The user's own browser: real Chromium, with its sandbox. */
interface PersonsBrowser {
  /** Waits for a page whose address begins like this and returns it. */
  pageAt(prefix: string): Promise<Page>;
  close(): Promise<void>;
}

/** Makes Chromium the default browser of the user's desktop. */
export async function giveBrowser(
  person: Person,
  session: Login,
  signInOrigin: string,
): Promise<PersonsBrowser> {
  const profile = join(person.home, 'chromium');
  const flags = [
    ...['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
    ...['--disable-sync', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
  ];
  const entry = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Browser of the test',
    `Exec=/usr/bin/chromium ${flags.join(' ')} %U`,
    'MimeType=x-scheme-handler/http;x-scheme-handler/https;',
    '',
  ];
  await person.write('.local/share/applications/test-browser.desktop', entry.join('\n'));
  for (const scheme of ['http', 'https'])
    await session.run('xdg-mime', 'default', 'test-browser.desktop', `x-scheme-handler/${scheme}`);

  // Chromium asks before it starts another program; an administrator's policy answers for this one origin.
  const policyFile = join(policyFolder, `${person.name}.json`);
  await mkdir(policyFolder, { recursive: true });
  const rule = { protocol: 'tilelift', allowed_origins: [signInOrigin] };
  await writeFile(policyFile, JSON.stringify({ AutoLaunchProtocolsFromOrigins: [rule] }));

  let browser: Browser | undefined;
  return {
    pageAt: async (prefix) => {
      browser ??= await eventually(async () => {
        const [port] = (await session.run('cat', join(profile, 'DevToolsActivePort'))).split('\n');
        return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      });
      return pageIn(browser, prefix);
    },
    close: async () => {
      const protocol = await browser?.newBrowserCDPSession();
      await protocol?.send('Browser.close').catch(() => undefined);
      await rm(policyFile, { force: true });
    },
  };
}
