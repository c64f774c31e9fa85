import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { coerce, gte } from 'semver';
import { describe, expect, it } from 'vitest';
import { ofLibrary } from '../../../scripts/package/builder-library.mjs';
import { writeLinuxScripts } from '../../../scripts/package/linux-scripts.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const config = ofLibrary('js-yaml').load(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('electron-builder.yml', () => {
  it('is what electron-builder takes', async () => {
    const { validateConfiguration } = ofLibrary('./out/util/config/config.js');
    await validateConfiguration(structuredClone(config), { isEnabled: false });
    await expect(validateConfiguration({ ...config, nsis: { oneclick: false } }, {})).rejects.toThrow('nsis');
  });

  it('packs into an archive with integrity, with nothing beside it', () => {
    expect(config.asar).toBe(true);
    expect(config).not.toHaveProperty('asarUnpack');
    expect(config).not.toHaveProperty('disableAsarIntegrity');
    expect(config.afterPack).toBe('./scripts/package/after-pack.mjs');
  });

  it('hands tilelift: addresses to the app', () => {
    expect(config.protocols).toEqual([{ name: 'Tilelift sign-in', schemes: ['tilelift'] }]);
    // macOS takes it from there, Linux the menu entry, Windows the installer.
    expect(readFileSync(join(root, config.nsis.include), 'utf8')).toContain('Software\\Classes\\tilelift');
  });
});

describe('for Windows', () => {
  it('builds the installer with NSIS 3.12 or newer, as the installed electron-builder has it', () => {
    const { nsisChecksums } = ofLibrary('./out/toolsets/windows.js');
    const files = Object.keys(nsisChecksums[config.toolsets.nsis] ?? {});
    const versions = files.map((file) => coerce(file)?.version ?? file);
    expect(versions).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    expect(versions.every((version) => gte(version, '3.12.0'))).toBe(true);
  });
});

describe('icons', () => {
  it('are there for each system under the name by which electron-builder finds them, so that it has none to draw', () => {
    for (const name of ['icon.svg', 'icon.ico', 'icon.icns'])
      expect(existsSync(join(root, 'build', name))).toBe(true);
    for (const system of ['linux', 'win', 'mac']) expect(config[system]).not.toHaveProperty('icon');
  });
});

describe('for Linux', () => {
  it('makes deb, rpm and AppImage, under the name by which its windows are known', () => {
    expect([...config.linux.target].sort()).toEqual(['AppImage', 'deb', 'rpm']);
    expect(manifest.desktopName).toBe(`${config.linux.executableName}.desktop`);
  });
});

describe('the command', () => {
  const launcher = (system: string) => readFileSync(join(root, 'build', 'command', system), 'utf8');

  it('is brought by the installers of every system', () => {
    for (const [system, folder] of [
      ['linux', 'linux'],
      ['win', 'windows'],
      ['mac', 'mac'],
    ] as const)
      expect(config[system].extraResources).toEqual([{ from: `build/command/${folder}`, to: 'bin' }]);
  });

  it('hands over its arguments behind two dashes, so that none of them can be a switch', () => {
    expect(launcher('linux/tilelift')).toMatch(/ --cli -- "\$@"\n$/);
    expect(launcher('mac/tilelift')).toMatch(/ --cli -- "\$@"\n$/);
    expect(launcher('windows/tilelift.cmd')).toMatch(/ --cli -- %\*\r\n$/);
  });

  it('is what tilelift means in a shell once deb or rpm are installed, until they are removed', () => {
    writeLinuxScripts();
    for (const name of ['deb', 'rpm'])
      expect(config[name]).toMatchObject({
        afterInstall: 'out/package/after-install.tpl',
        afterRemove: 'out/package/after-remove.tpl',
      });
    const script = (name: string) => readFileSync(join(root, 'out', 'package', name), 'utf8');
    const own = `'/opt/\${sanitizedProductName}/resources/bin/\${executable}'`;
    expect(script('after-install.tpl')).toContain(`'\${executable}' ${own} 100`);
    expect(script('after-remove.tpl')).toContain(`--remove '\${executable}' ${own}`);
  });
});

describe('for Windows', () => {
  it('makes an installer for one or for all, and one for administrators', () => {
    expect(config.win.target).toEqual(['nsis', 'msi']);
    expect(config.nsis).toMatchObject({ oneClick: false, perMachine: false });
    expect(config.msi).toMatchObject({ perMachine: true, oneClick: true });
    expect(config.msi.upgradeCode).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
  });

  it('answers unattended to the switches that docs/release.md names', () => {
    const documented = readFileSync(join(root, 'docs/release.md'), 'utf8');
    const template = (name: string) =>
      readFileSync(join(dirname(ofLibrary.resolve('./package.json')), 'templates/nsis', name), 'utf8');
    // /S is NSIS's own; the others are what the installer that asks for whom reads.
    for (const choice of ['/currentuser', '/allusers']) {
      expect(documented).toContain(`/S ${choice}`);
      expect(template('assistedInstaller.nsh')).toContain(`"${choice}"`);
    }
    expect(documented).toContain('--delete-app-data');
    expect(template('uninstaller.nsh')).toContain('"--delete-app-data"');
  });

  it('keeps the person’s data on removal, and leaves neither scheme nor start at login', () => {
    expect(config.nsis.deleteAppDataOnUninstall).toBe(false);
    const [, removal = ''] =
      /!macro customUnInstall([\s\S]*)!macroend/.exec(
        readFileSync(join(root, config.nsis.include), 'utf8'),
      ) ?? [];
    expect(removal).toContain('DeleteRegKey SHELL_CONTEXT "Software\\Classes\\tilelift"');
    // Windows calls the value after the app's id, which the running program sets.
    expect(removal).toMatch(/DeleteRegValue HKCU ".*\\CurrentVersion\\Run" "\$\{APP_ID\}"/);
    expect(readFileSync(join(root, 'main/desktop/notices/notify.ts'), 'utf8')).toContain(`'${config.appId}'`);
  });
});

describe('for macOS', () => {
  it('makes dmg and zip for both kinds of processor, hardened', () => {
    expect(config.mac.target).toEqual([
      { target: 'dmg', arch: 'universal' },
      { target: 'zip', arch: 'universal' },
    ]);
    expect(config.mac).toMatchObject({ hardenedRuntime: true, entitlementsInherit: config.mac.entitlements });
    // Absent: it is notarised where the environment has what that takes.
    expect(config.mac).not.toHaveProperty('notarize');
  });

  it('leaves to Electron from which macOS on it runs', () => {
    expect(config.mac).not.toHaveProperty('minimumSystemVersion');
  });

  it('asks for one entitlement', () => {
    const plist = readFileSync(join(root, config.mac.entitlements), 'utf8');
    expect([...plist.matchAll(/<key>(.*)<\/key>\s*<true\/>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
    ]);
  });

  it('opens folders when asked to, and says why it reads where macOS asks', () => {
    expect(config.mac.extendInfo.CFBundleDocumentTypes).toMatchObject([
      { LSItemContentTypes: ['public.folder'], LSHandlerRank: 'Alternate' },
    ]);
    for (const place of [
      'DesktopFolder',
      'DocumentsFolder',
      'DownloadsFolder',
      'NetworkVolumes',
      'RemovableVolumes',
    ])
      expect(config.mac.extendInfo[`NS${place}UsageDescription`]).toMatch(/^Tilelift uploads .*\.$/);
  });
});
