import { session as electronSession, type Session, WebContentsView } from 'electron';
import { within } from '../abandoned-work.ts';
import { type EncodedPicture, limits, pixelsFrom, thumbnailSide } from '../inspect/thumbnails/picture.ts';
import type { DecodePicture } from '../ipc/thumbnails.ts';
import { confined, denyPermissions } from './window/guards.ts';
import { appScheme } from './window/page-files.ts';

const origin = `${appScheme}://pictures`;
/** A process takes some 60 MB. */
const idleMs = 10_000;
const contentSecurityPolicy = "default-src 'none'; connect-src 'self'";

/**
 * Decodes pictures in a sandboxed process of its own: it has no preload, no network and no other page's data,
 * so a picture that exploits the decoder gains nothing. Main only takes pixels from it, and checks their
 * number. The process ends after each failure and when idle.
 */
export function createPictureDecoder(): { readonly decode: DecodePicture; readonly close: () => void } {
  let view: WebContentsView | null = null;
  let session: Session | null = null;
  let idle: NodeJS.Timeout | undefined;
  let picture: EncodedPicture | null = null;
  const close = () => {
    clearTimeout(idle);
    view?.webContents.close();
    view = null;
  };
  const openSession = () => {
    const opened = electronSession.fromPartition('pictures');
    denyPermissions(opened);
    opened.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !url.startsWith(`${origin}/`) }));
    opened.protocol.handle(appScheme, ({ url }) => {
      const part = picture?.parts[Number(new URL(url).pathname.slice(1) || Number.NaN)];
      const headers = { 'content-security-policy': contentSecurityPolicy, 'content-type': 'text/html' };
      return part ? new Response(Buffer.from(part.bytes)) : new Response('<!doctype html>', { headers });
    });
    return opened;
  };
  const open = async () => {
    session ??= openSession();
    view = new WebContentsView({ webPreferences: { ...confined, session, backgroundThrottling: false } });
    await view.webContents.loadURL(`${origin}/`);
    return view;
  };
  const decodeNow = async (): Promise<unknown> => {
    const { webContents } = view ?? (await open());
    const { parts, size, aspect } = picture ?? { parts: [], size: null };
    const places = parts.map(({ x, y }) => ({ x, y }));
    return webContents.executeJavaScript(
      `(${drawParts})(${JSON.stringify({ places, size, aspect, side: thumbnailSide })})`,
    );
  };
  return {
    decode: async (encoded) => {
      clearTimeout(idle);
      picture = encoded;
      const answer = await within(decodeNow(), limits.ms).catch(() => undefined);
      picture = null;
      const pixels = pixelsFrom(answer);
      if (pixels) idle = setTimeout(close, idleMs).unref();
      else close();
      return pixels;
    },
    close,
  };
}

/** Runs in the page, whose canvas scales better than a few lines of ours. */
const drawParts = `async ({ places, size, aspect, side }) => {
  let canvas, context, scale, crop = [0, 0];
  for (const [index, { x, y }] of places.entries()) {
    const bitmap = await createImageBitmap(await (await fetch('/' + index)).blob());
    if (!canvas) {
      let [width, height] = size ?? [bitmap.width, bitmap.height];
      const [fullWidth, fullHeight] = [width, height];
      if (aspect) [width, height] = [Math.min(width, height * aspect), Math.min(height, width / aspect)];
      crop = [(fullWidth - width) / 2, (fullHeight - height) / 2];
      scale = Math.min(1, side / Math.max(width, height));
      canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
      context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
    }
    context.drawImage(bitmap, (x - crop[0]) * scale, (y - crop[1]) * scale, bitmap.width * scale, bitmap.height * scale);
    bitmap.close();
  }
  const { width, height } = canvas;
  return { width, height, rgba: context.getImageData(0, 0, width, height).data };
}`;
