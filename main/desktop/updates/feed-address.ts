/**
 * Where a build looks for updates: electron-builder writes it into `app-update.yml`, beside the program and as much to be trusted. Null where that names no address that can be
 * used: none at all, a placeholder (`.invalid`, RFC 6761), or one without encryption. Pure.
 */
export function feedAddress(config: string): URL | null {
  const [, text = ''] = /^url:\s*['"]?([^'"\s]+)['"]?\s*$/m.exec(config) ?? [];
  const address = URL.parse(text);
  return address && !address.hostname.endsWith('.invalid') && isSafe(address, address) ? address : null;
}

/** Whether a request may go there: encrypted, or on this computer where the feed itself is (in tests). Pure. */
export function isSafe(address: URL, feed: URL): boolean {
  return address.protocol === 'https:' || (isOnThisComputer(address) && isOnThisComputer(feed));
}

function isOnThisComputer({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]');
}
