import type { ElectronApplication } from 'playwright';

interface StrangerOptions {
  readonly url: string;
  /** Our preload, as if it had got into the wrong page. Default true. */
  readonly preload?: boolean;
  /**
   * Pages at our own origin by their path, in a session of their own: without our policy, with our preload in
   * frames too.
   */
  readonly pages?: Readonly<Record<string, string>>;
  readonly webviewTag?: boolean;
}

/** Runs script in a page's main world, as markup that got into the page would, and gives what it comes to. */
export type RunInPage = <T>(code: string) => Promise<T>;

/**
 * Opens a window that Tilelift never opens, of another origin or with other rights, for as long as `work`
 * takes.
 */
export async function strangersWindow<T>(
  app: ElectronApplication,
  { url, preload = true, pages, webviewTag = false }: StrangerOptions,
  work: (run: RunInPage) => Promise<T>,
): Promise<T> {
  const id = await app.evaluate(
    async ({ app: main, BrowserWindow, session }, given) => {
      const { pages: own } = given;
      const partition = own ? `strangers-${Math.random()}` : undefined;
      if (own && partition)
        session.fromPartition(partition).protocol.handle('app', ({ url: asked }) => {
          return new Response(own[new URL(asked).pathname] ?? '', {
            headers: { 'content-type': 'text/html' },
          });
        });
      const ours = `${main.getAppPath()}/out/preload/index.cjs`;
      const window = new BrowserWindow({
        show: false,
        webPreferences: {
          ...(given.preload ? { preload: ours } : {}),
          ...(partition ? { partition } : {}),
          nodeIntegrationInSubFrames: partition !== undefined,
          webviewTag: given.webviewTag,
        },
      });
      if (partition) window.webContents.removeAllListeners('will-frame-navigate');
      await window.loadURL(given.url);
      return window.id;
    },
    { url, preload, pages, webviewTag },
  );
  try {
    return await work(runInWindow(app, id));
  } finally {
    await app.evaluate(({ BrowserWindow }, window) => BrowserWindow.fromId(window)?.destroy(), id);
  }
}

/**
 * By Electron rather than by Playwright, whose own way around a content security policy would hide that
 * policy.
 */
export function runInWindow(app: ElectronApplication, id: number): RunInPage {
  return (code) =>
    app.evaluate(
      ({ BrowserWindow }, given) =>
        BrowserWindow.fromId(given.id)?.webContents.executeJavaScript(given.code, true),
      { id, code: `(async () => { ${code} })()` },
    );
}

/** What Electron itself says that every page was opened with. */
export function preferencesOfAll(
  app: ElectronApplication,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => {
      // Not in Electron's type definitions.
      const read: unknown = Reflect.get(contents, 'getLastWebPreferences');
      return typeof read === 'function' ? read.call(contents) : {};
    }),
  );
}
