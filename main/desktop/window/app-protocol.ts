import { readFile } from 'node:fs/promises';
import { net, type Protocol, protocol } from 'electron';
import { appScheme, contentSecurityPolicy, pageFile } from './page-files.ts';

/** Must be called before Electron is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** Serves the pages in `folder` at `app://tilelift/`. */
export function serveApp(target: Protocol, folder: string): void {
  target.handle(appScheme, async (request) => {
    const found = pageFile(folder, request.url);
    const bytes = found && (await readFile(found.file).catch(() => undefined));
    if (!found || !bytes) return new Response('Not found', { status: 404 });
    return new Response(new Uint8Array(bytes), {
      headers: {
        'content-type': found.contentType,
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
      },
    });
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
