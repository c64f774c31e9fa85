import { net, type Protocol, protocol } from 'electron';
import { appScheme, contentSecurityPolicy, pageFile } from './page-files.ts';

/** From Chromium's net_error_list.h. */
const fileNotFound = -6;

/** Call before Electron is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/**
 * At `app://tilelift/`. Unlike its successor `handle`, `registerFileProtocol` lets Chromium read files while
 * the main process is busy. `onAsked`: each requested file.
 */
export function serveApp(target: Protocol, folder: string, onAsked: (file: string) => void): void {
  target.registerFileProtocol(appScheme, ({ url }, answer) => {
    const pageAsset = pageFile(folder, url);
    if (!pageAsset) return answer({ error: fileNotFound });
    answer({
      path: pageAsset.file,
      headers: {
        'content-type': pageAsset.contentType,
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
      },
    });
    onAsked(pageAsset.file);
  });
}

/** Its styles and socket need a wider policy. */
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
