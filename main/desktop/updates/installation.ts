import { dirname, join } from 'node:path';

export interface Installation {
  readonly platform: NodeJS.Platform;
  /** Path. */
  readonly executable: string;
  /** The build's `app-update.yml`. */
  readonly config: string;
  readonly exists: (path: string) => boolean;
  /** Tries to create a file. */
  readonly mayWrite: (folder: string) => boolean;
}

/**
 * The system must verify the publisher's signature, and replacing the program need no additional rights.
 * Linux verifies none: only announce there.
 */
export function installsByItself({ platform, executable, config, exists, mayWrite }: Installation): boolean {
  if (platform === 'win32') {
    const folder = dirname(executable);
    // Left by the NSIS installer but not by the MSI.
    return namesPublisher(config) && exists(join(folder, 'Uninstall Tilelift.exe')) && mayWrite(folder);
  }
  // Tilelift.app/Contents/MacOS/Tilelift: Squirrel replaces the whole bundle if its signature matches.
  return platform === 'darwin' && mayWrite(dirname(dirname(dirname(dirname(executable)))));
}

/** Only then electron-updater verifies the Authenticode signature. */
const namesPublisher = (config: string): boolean => /^publisherName:/m.test(config);

/**
 * From electron-builder's `app-update.yml`. Null if missing, a placeholder (`.invalid`, RFC 6761), or
 * unencrypted.
 */
export function feedAddress(config: string): URL | null {
  const [, text = ''] = /^url:\s*['"]?([^'"\s]+)['"]?\s*$/m.exec(config) ?? [];
  const address = URL.parse(text);
  return address && !address.hostname.endsWith('.invalid') && isSafe(address, address) ? address : null;
}

/** Encrypted, or on this computer like the feed (tests). */
export function isSafe(address: URL, feed: URL): boolean {
  return address.protocol === 'https:' || (isOnThisComputer(address) && isOnThisComputer(feed));
}

function isOnThisComputer({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]');
}
