import type { ElectronApplication } from 'playwright';

/** Playwright doesn't list pages of other sessions. Runs a script in the page of this origin. */
export const inPage = (app: ElectronApplication, origin: string, script: string) =>
  app.evaluate(
    ({ webContents }, [start, code]) => {
      const page = webContents.getAllWebContents().find((candidate) => candidate.getURL().startsWith(start));
      return page ? page.executeJavaScript(code) : `no page of ${start}`;
    },
    [`${origin}/`, script] as const,
  );

interface Preferring {
  getLastWebPreferences(): Readonly<Record<string, unknown>>;
}

/**
 * What separates a page from other pages and from these addresses. The session's own requests aren't subject
 * to the page's policy, so that they prove the request filter.
 */
export async function confinementOf(app: ElectronApplication, origin: string, outside: readonly string[]) {
  const policy = await inPage(
    app,
    origin,
    "fetch('/').then(({ headers }) => headers.get('content-security-policy'))",
  );
  const addresses = JSON.stringify(outside);
  const loadedByPage = await inPage(
    app,
    origin,
    `Promise.all(${addresses}.map((address) =>
      fetch(address, { mode: 'no-cors' }).then(() => [address], () => []))).then((all) => all.flat())`,
  );
  const separation = await app.evaluate(
    async ({ webContents }, [start, addresses]) => {
      const [main, page] = ['app://tilelift/', start].map((beginning) =>
        webContents.getAllWebContents().find((candidate) => candidate.getURL().startsWith(beginning)),
      );
      if (!main || !page) return null;
      // Missing in Electron's types.
      const { preload, sandbox, nodeIntegration, contextIsolation } = (
        page as unknown as Preferring
      ).getLastWebPreferences();
      const attempts = addresses.map((address) =>
        page.session.fetch(address).then(
          () => [address],
          () => [],
        ),
      );
      return {
        hasOwnProcess: main.getOSProcessId() !== page.getOSProcessId(),
        hasOwnSession: main.session !== page.session && !page.session.isPersistent(),
        preferences: { preload: preload ?? null, sandbox, nodeIntegration, contextIsolation },
        loadedBySession: (await Promise.all(attempts)).flat(),
      };
    },
    [`${origin}/`, outside] as const,
  );
  return { policy, loadedByPage, ...separation };
}

/** What `confinementOf` a page of foreign data has to be, apart from its policy. */
export const confined = {
  hasOwnProcess: true,
  hasOwnSession: true,
  preferences: { preload: null, sandbox: true, nodeIntegration: false, contextIsolation: true },
  loadedByPage: [],
  loadedBySession: [],
};
