import { type AssetEndpoint, type ShownType, shownTypes } from '../../../shared/globe.ts';

/** Null for an unknown type, or an address that isn't safe. `serviceUrl`: may be plain http. */
export function shownEndpoint(
  endpoint: AssetEndpoint,
  serviceUrl: string,
): (AssetEndpoint & { readonly type: ShownType }) | null {
  const type = shownTypes.find((name) => name === endpoint.type);
  if (type === undefined || !URL.canParse(endpoint.url)) return null;
  const { protocol, origin, username } = new URL(endpoint.url);
  const isSafe = protocol === 'https:' || origin === new URL(serviceUrl).origin;
  return isSafe && username === '' ? { ...endpoint, type } : null;
}

/** Lets the page load its own files and those of one origin, so that the token goes nowhere else. */
export function globePolicy(tilesUrl: string): string {
  const { origin } = new URL(tilesUrl);
  return [
    "default-src 'none'",
    // Decoders of meshes and textures are WebAssembly.
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data: ${origin}`,
    `connect-src 'self' blob: data: ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Requests that leave the page's own scheme. Redirects count as requests. */
export function isAllowedRequest(address: string, pageOrigin: string, tilesUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, origin } = new URL(address);
  if (protocol === 'blob:' || protocol === 'data:') return true;
  return `${protocol}//${host}` === pageOrigin || origin === new URL(tilesUrl).origin;
}
