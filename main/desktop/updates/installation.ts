import { dirname, join } from 'node:path';

export interface Installation {
  readonly platform: NodeJS.Platform;
  /** Path of the running executable. */
  readonly executable: string;
  /** Text of the build's `app-update.yml`. */
  readonly config: string;
  readonly exists: (path: string) => boolean;
  /** Whether a file can be created in that folder, found out by trying. */
  readonly mayWrite: (folder: string) => boolean;
}

/**
 * Whether this copy may install updates itself: the system must verify the publisher's code signature, and
 * replacing the program must take no other rights than those it runs with. On Linux no system component
 * verifies a signature, so Tilelift only announces releases there.
 */
export function installsByItself({ platform, executable, config, exists, mayWrite }: Installation): boolean {
  if (platform === 'win32') {
    const folder = dirname(executable);
    // The NSIS installer leaves this file, the MSI doesn't.
    return namesPublisher(config) && exists(join(folder, 'Uninstall Tilelift.exe')) && mayWrite(folder);
  }
  // Tilelift.app/Contents/MacOS/Tilelift: Squirrel replaces the whole bundle, if its signature matches.
  return platform === 'darwin' && mayWrite(dirname(dirname(dirname(dirname(executable)))));
}

/** electron-updater compares an installer's Authenticode signature only if the build names a publisher. */
const namesPublisher = (config: string): boolean => /^publisherName:/m.test(config);

/**
 * Returns the build's address for updates: electron-builder writes it into `app-update.yml`. Null if it is
 * missing, a placeholder (`.invalid`, RFC 6761), or not encrypted.
 */
export function feedAddress(config: string): URL | null {
  const [, text = ''] = /^url:\s*['"]?([^'"\s]+)['"]?\s*$/m.exec(config) ?? [];
  const address = URL.parse(text);
  return address && !address.hostname.endsWith('.invalid') && isSafe(address, address) ? address : null;
}

/** Whether a request may go there: encrypted, or on this computer as the feed itself is (tests). */
export function isSafe(address: URL, feed: URL): boolean {
  return address.protocol === 'https:' || (isOnThisComputer(address) && isOnThisComputer(feed));
}

function isOnThisComputer({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]');
}
