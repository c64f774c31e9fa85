import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/packages.mjs';
import { ensureSystem } from '../setup/system.mjs';

const packersOrigin = 'https://github.com/electron-userland/electron-builder-binaries/releases';

/**
 * Arguments for electron-builder to make this system's installers as in electron-builder.yml. If its packers
 * can't be downloaded, Debian's replace the one for deb and rpm; other installers are skipped, with a line in
 * `says`.
 * @returns {Promise<{ args: string[], env: Record<string, string>, says: string[] }>}
 */
export async function installerTargets() {
  const { CUSTOM_FPM_PATH, USE_SYSTEM_FPM, APPIMAGE_TOOLS_PATH } = process.env;
  if (process.platform !== 'linux') return { args: [], env: {}, says: [] };
  const ownTools = CUSTOM_FPM_PATH !== undefined || USE_SYSTEM_FPM !== undefined || (await canFetch());
  const [missingGroup] = await ensureSystem(['installer']);
  if (ownTools)
    return missingGroup
      ? { args: ['--linux', 'deb', 'AppImage'], env: {}, says: ['rpm is left out: there is no rpmbuild.'] }
      : { args: [], env: {}, says: [] };
  if (missingGroup)
    throw new Error(
      `Installers can’t be made here: ${missingGroup.missing.join(' ')} must be there or installable.`,
    );
  const withoutAppImage = APPIMAGE_TOOLS_PATH === undefined;
  return {
    args: ['--linux', 'deb', 'rpm', ...(withoutAppImage ? [] : ['AppImage'])],
    env: { CUSTOM_FPM_PATH: join(root, 'tools', 'offline', 'fpm-stand-in.mjs') },
    says: [
      'The packers of Linux packages can’t be fetched; dpkg-deb and rpmbuild stand in for deb and rpm.',
      ...(withoutAppImage
        ? ['AppImage is left out: its runtime comes from nowhere else, and APPIMAGE_TOOLS_PATH names none.']
        : []),
    ],
  };
}

/**
 * Copies a stable release's update files for users of preview releases. electron-builder would do so too, but
 * then lists files repeatedly.
 * @param {string} folder with the installers
 */
export function copyUpdateFiles(folder) {
  for (const name of readdirSync(folder).filter((file) => /^latest.*\.yml$/.test(file)))
    copyFileSync(join(folder, name), join(folder, name.replace('latest', 'beta')));
}

async function canFetch() {
  try {
    await fetch(packersOrigin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    return true;
  } catch {
    return false;
  }
}
