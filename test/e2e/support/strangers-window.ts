import type { ElectronApplication } from 'playwright';

interface StrangerOptions {
  readonly url: string;
  /** Loads our preload into the foreign page. Default true. */
  readonly preload?: boolean;
  /**
   * Pages at our own origin by path, in a separate session: without our policy, with our preload also in
   * frames.
   */
  readonly pages?: Readonly<Record<string, string>>;
  readonly webviewTag?: boolean;
}

/** Runs script in a page's main world, like injected markup, and returns its result. */
export type RunInPage = <T>(code: string) => Promise<T>;

/** Opens a window that Tilelift never opens, with another origin or other rights, during `work`. */
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

/** Uses Electron, because Playwright bypasses the content security policy. */
export function runInWindow(app: ElectronApplication, id: number): RunInPage {
  return (code) =>
    app.evaluate(
      ({ BrowserWindow }, given) =>
        BrowserWindow.fromId(given.id)?.webContents.executeJavaScript(given.code, true),
      { id, code: `(async () => { ${code} })()` },
    );
}

/** Electron's effective preferences of all pages. */
export function preferencesOfAll(
  app: ElectronApplication,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => {
      // Missing in Electron's type definitions.
      const read: unknown = Reflect.get(contents, 'getLastWebPreferences');
      return typeof read === 'function' ? read.call(contents) : {};
    }),
  );
}
