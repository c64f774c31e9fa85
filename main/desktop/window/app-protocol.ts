import { net, type Protocol, protocol } from 'electron';
import { appScheme, contentSecurityPolicy, pageFile } from './page-files.ts';

/** Chromium's own number for it (net_error_list.h). */
const fileNotFound = -6;

/** Must be called before Electron is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/**
 * Serves the pages in `folder` at `app://tilelift/`: main says where a file is, and Chromium hands it over on
 * threads of its own, while main is busy with everything behind the window. `handle`, which has taken this
 * one's place in Electron, loads all of `fetch` for its first answer and lets main hand over each piece.
 * `onAsked`: called with each file that the page has asked for.
 */
export function serveApp(target: Protocol, folder: string, onAsked: (file: string) => void): void {
  target.registerFileProtocol(appScheme, ({ url }, answer) => {
    const found = pageFile(folder, url);
    if (!found) return answer({ error: fileNotFound });
    answer({
      path: found.file,
      headers: {
        'content-type': found.contentType,
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
      },
    });
    onAsked(found.file);
  });
}

/**
 * Serves the pages of a development server at the same address. Its styles and socket need a wider policy.
 */
export function serveFromDevServer(target: Protocol, devServer: string): void {
  const socket = devServer.replace(/^http/, 'ws');
  const policy = `default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ${socket}`;
  target.handle(appScheme, async (request) => {
    const { pathname, search } = new URL(request.url);
    const answer = await net.fetch(`${devServer}${pathname}${search}`);
    const headers = new Headers(answer.headers);
    headers.set('content-security-policy', policy);
    return new Response(answer.body, { status: answer.status, headers });
  });
}
