import { extname, join, normalize, sep } from 'node:path';
import { pageOrigin } from '../../ipc/page-origin.ts';

export const pageAddress = `${pageOrigin}/`;

export const appScheme = 'app';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Undefined outside of the folder, for another type or another origin. */
export function pageFile(
  folder: string,
  address: string,
  origin = pageOrigin,
): { file: string; contentType: string } | undefined {
  if (!address.startsWith(`${origin}/`)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(new URL(address).pathname);
  } catch {
    return undefined;
  }
  const file = normalize(join(folder, path === '/' ? 'index.html' : path));
  const contentType = contentTypes[extname(file)];
  return file.startsWith(folder + sep) && contentType ? { file, contentType } : undefined;
}

/** Only files of the package. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  // Thumbnails.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // Only Svelte creates markup.
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ');
