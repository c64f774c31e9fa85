import { dirname, join } from 'node:path';

export interface Installation {
  readonly platform: NodeJS.Platform;
  /** The executable that runs. */
  readonly executable: string;
  /** The AppImage that it runs from; null where it does not. */
  readonly image: string | null;
  readonly exists: (path: string) => boolean;
  /** Whether a file could be made in that folder, by trying. */
  readonly mayWrite: (folder: string) => boolean;
}

/**
 * Whether a copy may put a newer release in its own place: where that takes no other rights than those it
 * runs with. Packages (deb, rpm, MSI) and what an administrator has put where only administrators write are
 * theirs to update.
 */
export function installsByItself({ platform, executable, image, exists, mayWrite }: Installation): boolean {
  if (platform === 'win32') {
    const folder = dirname(executable);
    // What the NSIS installer leaves and the MSI does not.
    return exists(join(folder, 'Uninstall Tilelift.exe')) && mayWrite(folder);
  }
  // Tilelift.app/Contents/MacOS/Tilelift: the bundle is replaced whole.
  if (platform === 'darwin') return mayWrite(dirname(dirname(dirname(dirname(executable)))));
  return image !== null && mayWrite(dirname(image));
}

/**
 * Where a build looks for updates: electron-builder writes it into `app-update.yml`, beside the program and
 * as much to be trusted. Null where that names no address that can be used: none at all, a placeholder
 * (`.invalid`, RFC 6761), or one without encryption. Pure.
 */
export function feedAddress(config: string): URL | null {
  const [, text = ''] = /^url:\s*['"]?([^'"\s]+)['"]?\s*$/m.exec(config) ?? [];
  const address = URL.parse(text);
  return address && !address.hostname.endsWith('.invalid') && isSafe(address, address) ? address : null;
}

/** Whether a request may go there: encrypted, or on this computer as the feed itself is (tests). Pure. */
export function isSafe(address: URL, feed: URL): boolean {
  return address.protocol === 'https:' || (isOnThisComputer(address) && isOnThisComputer(feed));
}

function isOnThisComputer({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]');
}
