import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtDeb } from '../../scripts/installer/deb-for-tests.mjs';
import { sizeBelow } from '../../scripts/package/stage.mjs';
import { outputs, unpackedApp } from '../../scripts/package/unpacked-app.mjs';
import { root } from '../../scripts/setup/packages.mjs';

/** Size of the last build, bytes; null for missing parts. */
export interface PackageSize {
  readonly deb: number | null;
  readonly unpacked: number | null;
  readonly archive: number | null;
}

/** Measures the output of `npm run package -- --installer`; builds nothing. */
export function measurePackage(): PackageSize {
  const deb = builtDeb();
  const output = join(root, outputs.shipping);
  const app = existsSync(output) ? unpackedApp(output) : undefined;
  return {
    deb: deb ? statSync(deb).size : null,
    unpacked: app ? sizeBelow(app) * 1024 : null,
    archive: app ? statSync(join(app, 'resources', 'app.asar')).size : null,
  };
}
