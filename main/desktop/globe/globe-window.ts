import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BrowserWindow, type Session } from 'electron';
import type { GlobeData, ShowGlobe } from '../../../shared/globe.ts';
import { currentSpeech, say } from '../../say.ts';
import { denyPermissions } from '../window/guards.ts';
import { appScheme, pageFile } from '../window/page-files.ts';
import { globePolicy, isAllowedRequest, shownEndpoint } from './globe-policy.ts';

/** Not the origin of the main page, whose calls the main process answers. */
const globeOrigin = `${appScheme}://globe`;

/**
 * Shows assets in windows without preload, each with its own process and session.
 *
 * @param openSession creates a session in memory that uses the user's proxy and certificates
 */
export function createGlobes(outFolder: string, openSession: () => Promise<Session>): ShowGlobe {
  const windows = new Map<string, BrowserWindow>();
  return async ({ owner, id, name, endpoint, address }) => {
    const endpointToShow = shownEndpoint(endpoint, address.baseUrl);
    if (!endpointToShow) return false;
    const key = `${owner} ${id}`;
    const opened = windows.get(key);
    if (opened) {
      opened.focus();
      return true;
    }
    const session = await openSession();
    const window = openWindow(session, say('globe.title', { name }));
    windows.set(key, window);
    window.on('closed', () => windows.delete(key));
    serveGlobe(session, join(outFolder, 'globe'), { ...endpointToShow, name, ...words() });
    await window.loadURL(`${globeOrigin}/`);
    return true;
  };
}

function words(): Pick<GlobeData, 'language' | 'texts'> {
  return {
    language: currentSpeech().language,
    texts: {
      hint: say('globe.hint'),
      loading: say('globe.loading'),
      failed: say('globe.failed'),
      noGraphics: say('globe.noGraphics'),
    },
  };
}

function openWindow(session: Session, title: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1100,
    height: 760,
    title,
    backgroundColor: '#101418',
    autoHideMenuBar: true,
    webPreferences: {
      session,
      contextIsolation: true,
      nodeIntegration: false,
      sandbox: true,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    },
  });
  window.on('page-title-updated', (event) => event.preventDefault());
  window.webContents.on('before-input-event', (_event, { type, key }) => {
    if (type === 'keyDown' && key === 'Escape') window.close();
  });
  return window;
}

/** Serves the globe's files, and the asset's address and token as `/asset.json`. Blocks all other origins. */
function serveGlobe(session: Session, folder: string, data: GlobeData): void {
  denyPermissions(session);
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !isAllowedRequest(url, globeOrigin, data.url) }),
  );
  const headers = {
    'content-security-policy': globePolicy(data.url),
    'x-content-type-options': 'nosniff',
  };
  session.protocol.handle(appScheme, async ({ url }) => {
    if (url === `${globeOrigin}/asset.json`)
      return new Response(JSON.stringify(data), {
        headers: { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' },
      });
    const requested = pageFile(folder, url, globeOrigin);
    if (!requested) return new Response(null, { status: 404, headers });
    const bytes = await readFile(pathToFileURL(requested.file)).catch(() => null);
    if (bytes === null) return new Response(null, { status: 404, headers });
    return new Response(new Uint8Array(bytes), {
      headers: { ...headers, 'content-type': requested.contentType },
    });
  });
}
