import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BrowserWindow, type Session } from 'electron';
import { type GlobeData, loadedTitle, type ShowGlobe } from '../../../shared/globe.ts';
import { thumbnailSide } from '../../inspect/thumbnails/picture.ts';
import { currentSpeech, say } from '../../say.ts';
import { confined, denyPermissions } from '../window/guards.ts';
import { appScheme, pageFile } from '../window/page-files.ts';
import { globePolicy, isAllowedRequest, shownEndpoint } from './globe-policy.ts';

/** Not the origin of the main page, whose calls the main process answers. */
const globeOrigin = `${appScheme}://globe`;

/**
 * Shows assets in windows without preload, each with its own process and session.
 *
 * @param openSession creates a session in memory that uses the user's proxy and certificates
 * @param onPicture gets a picture of each shown asset as PNG
 */
export function createGlobes(
  outFolder: string,
  openSession: () => Promise<Session>,
  onPicture: (accountId: string, assetId: number, png: Buffer) => void,
): ShowGlobe {
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
    window.on('page-title-updated', (event, title) => {
      event.preventDefault();
      if (title === loadedTitle) void takePicture(window).then((png) => onPicture(owner, id, png));
    });
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

/** The middle of the window, without its labels. */
async function takePicture(window: BrowserWindow): Promise<Buffer> {
  const [width = 0, height = 0] = window.getContentSize();
  const side = Math.round(Math.min(width, height) * 0.75);
  const place = { x: Math.round((width - side) / 2), y: Math.round((height - side) / 2) };
  const picture = await window.webContents.capturePage({ ...place, width: side, height: side });
  return picture.resize({ width: thumbnailSide, quality: 'best' }).toPNG();
}

function openWindow(session: Session, title: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1100,
    height: 760,
    title,
    backgroundColor: '#101418',
    autoHideMenuBar: true,
    webPreferences: { ...confined, session },
  });
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
  const headers = { 'content-security-policy': globePolicy(data.url), 'x-content-type-options': 'nosniff' };
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
