import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** The packaged executable of this system, as `npm run package` leaves it. Throws when it was not packed yet. */
export function packagedExecutable(): string {
  const dist = join(root, 'dist');
  const unpacked = readdirSync(dist).find((name) => /^(linux|win|mac)/.test(name));
  if (!unpacked) throw new Error('There is no packaged app in dist/: run npm run package');
  const folder = join(dist, unpacked);
  if (unpacked.startsWith('mac')) return join(folder, 'Tilelift.app', 'Contents', 'MacOS', 'Tilelift');
  return join(folder, unpacked.startsWith('win') ? 'Tilelift.exe' : 'tilelift');
}

/** A root account can't use Chromium's sandbox; tests that run as root give it up, the product never does. */
export const sandboxArguments: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
