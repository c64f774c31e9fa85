import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { coerce, gte } from 'semver';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyUpdateFiles } from '../../../scripts/installer/targets.mjs';
import { requireLibrary } from '../../../scripts/package/builder-library.mjs';
import { writeLinuxScripts } from '../../../scripts/package/linux-scripts.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const config = requireLibrary('js-yaml').load(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

it('electron-builder.yml is valid for electron-builder', async () => {
  const { validateConfiguration } = requireLibrary('./out/util/config/config.js');
  await validateConfiguration(structuredClone(config), { isEnabled: false });
  await expect(validateConfiguration({ ...config, nsis: { oneclick: false } }, {})).rejects.toThrow('nsis');
});

it('electron-builder.yml packs everything into an archive with integrity', () => {
  expect(config.asar).toBe(true);
  expect(config).not.toHaveProperty('asarUnpack');
  expect(config).not.toHaveProperty('disableAsarIntegrity');
  expect(config.afterPack).toBe('./scripts/package/after-pack.mjs');
});

it('electron-builder.yml registers tilelift: addresses', () => {
  expect(config.protocols).toEqual([{ name: 'Tilelift sign-in', schemes: ['tilelift'] }]);
  // macOS reads it here, Linux in the menu entry, Windows in the installer.
  expect(readFileSync(join(root, config.nsis.include), 'utf8')).toContain('Software\\Classes\\tilelift');
});

it('S100: the Windows build uses NSIS 3.12 or newer from the installed electron-builder', () => {
  const { nsisChecksums } = requireLibrary('./out/toolsets/windows.js');
  const files = Object.keys(nsisChecksums[config.toolsets.nsis] ?? {});
  const versions = files.map((file) => coerce(file)?.version ?? file);
  expect(versions).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  expect(versions.every((version) => gte(version, '3.12.0'))).toBe(true);
});

it('icons exist for each system under electron-builder’s names', () => {
  for (const name of ['icon.svg', 'icon.ico', 'icon.icns'])
    expect(existsSync(join(root, 'build', name))).toBe(true);
  for (const system of ['linux', 'win', 'mac']) expect(config[system]).not.toHaveProperty('icon');
});

it('the Linux build makes deb, rpm and AppImage under the name of its windows', () => {
  expect([...config.linux.target].sort()).toEqual(['AppImage', 'deb', 'rpm']);
  expect(manifest.desktopName).toBe(`${config.linux.executableName}.desktop`);
});

describe('the command', () => {
  const launcher = (system: string) => readFileSync(join(root, 'build', 'command', system), 'utf8');

  it('the command is part of every system’s installers', () => {
    for (const [system, folder] of [
      ['linux', 'linux'],
      ['win', 'windows'],
      ['mac', 'mac'],
    ] as const)
      expect(config[system].extraResources).toEqual([{ from: `build/command/${folder}`, to: 'bin' }]);
  });

  it('the command passes its arguments after two dashes, so that none is a switch', () => {
    expect(launcher('linux/tilelift')).toMatch(/ --cli -- "\$@"\n$/);
    expect(launcher('mac/tilelift')).toMatch(/ --cli -- "\$@"\n$/);
    expect(launcher('windows/tilelift.cmd')).toMatch(/ --cli -- %\*\r\n$/);
  });

  it('the command is installed as tilelift by deb and rpm, and removed with them', () => {
    writeLinuxScripts();
    for (const name of ['deb', 'rpm'])
      expect(config[name]).toMatchObject({
        afterInstall: 'out/package/after-install.tpl',
        afterRemove: 'out/package/after-remove.tpl',
      });
    const script = (name: string) => readFileSync(join(root, 'out', 'package', name), 'utf8');
    const ownPath = `'/opt/\${sanitizedProductName}/resources/bin/\${executable}'`;
    expect(script('after-install.tpl')).toContain(`'\${executable}' ${ownPath} 100`);
    expect(script('after-remove.tpl')).toContain(`--remove '\${executable}' ${ownPath}`);
  });
});

it('update files list each installer once, for stable and preview releases', async () => {
  const { createUpdateInfoTasks, writeUpdateInfoFiles } = requireLibrary(
    './out/publish/updateInfoBuilder.js',
  );
  const folder = mkdtempSync(join(tmpdir(), 'tilelift-updates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { Platform } = requireLibrary('./out/core.js');
  const packager = {
    ...{ config, platform: Platform.LINUX, platformSpecificBuildOptions: config.linux, info: {} },
    ...{ appInfo: manifest, metadata: {}, getResource: () => null, emitArtifactCreated: () => {} },
  };
  const names = ['a.deb', 'a.rpm', 'a.AppImage'];
  const tasks = names.map((name) => {
    writeFileSync(join(folder, name), name);
    const event = { packager, target: { outDir: folder }, file: join(folder, name), arch: null };
    return createUpdateInfoTasks(event, [config.publish]);
  });

  await writeUpdateInfoFiles((await Promise.all(tasks)).flat(), packager);
  copyUpdateFiles(folder);

  const writtenNames = readdirSync(folder).filter((name) => name.endsWith('.yml'));
  for (const name of writtenNames) {
    const { files } = requireLibrary('js-yaml').load(readFileSync(join(folder, name), 'utf8'));
    expect(files.map(({ url }: { url: string }) => url)).toEqual(names);
  }
  expect(writtenNames).toEqual(['beta-linux.yml', 'latest-linux.yml']);
});

it('the Windows installer exists per user or machine, and for administrators', () => {
  expect(config.win.target).toEqual(['nsis', 'msi']);
  expect(config.nsis).toMatchObject({ oneClick: false, perMachine: false });
  expect(config.msi).toMatchObject({ perMachine: true, oneClick: true });
  expect(config.msi.upgradeCode).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
});

it('the Windows installer accepts the unattended switches in docs/release.md', () => {
  const documented = readFileSync(join(root, 'docs/release.md'), 'utf8');
  const template = (name: string) =>
    readFileSync(join(dirname(requireLibrary.resolve('./package.json')), 'templates/nsis', name), 'utf8');
  // /S is NSIS's own switch; the installer reads the others.
  for (const choice of ['/currentuser', '/allusers']) {
    expect(documented).toContain(`/S ${choice}`);
    expect(template('assistedInstaller.nsh')).toContain(`"${choice}"`);
  }
  expect(documented).toContain('--delete-app-data');
  expect(template('uninstaller.nsh')).toContain('"--delete-app-data"');
});

it('the Windows installer keeps user data on removal, but neither scheme nor start at login', () => {
  expect(config.nsis.deleteAppDataOnUninstall).toBe(false);
  const [, removal = ''] =
    /!macro customUnInstall([\s\S]*)!macroend/.exec(readFileSync(join(root, config.nsis.include), 'utf8')) ??
    [];
  expect(removal).toContain('DeleteRegKey SHELL_CONTEXT "Software\\Classes\\tilelift"');
  // Windows names the value after the app id set by the program.
  expect(removal).toMatch(/DeleteRegValue HKCU ".*\\CurrentVersion\\Run" "\$\{APP_ID\}"/);
  expect(readFileSync(join(root, 'main/desktop/notices/notify.ts'), 'utf8')).toContain(`'${config.appId}'`);
});

it('the macOS build makes hardened dmg and zip for both processors', () => {
  expect(config.mac.target).toEqual([
    { target: 'dmg', arch: 'universal' },
    { target: 'zip', arch: 'universal' },
  ]);
  expect(config.mac).toMatchObject({ hardenedRuntime: true, entitlementsInherit: config.mac.entitlements });
  // Absent: notarised if the environment has credentials.
  expect(config.mac).not.toHaveProperty('notarize');
});

it('the macOS build has Electron’s minimum macOS version', () => {
  expect(config.mac).not.toHaveProperty('minimumSystemVersion');
});

it('the macOS build has one entitlement', () => {
  const plist = readFileSync(join(root, config.mac.entitlements), 'utf8');
  expect([...plist.matchAll(/<key>(.*)<\/key>\s*<true\/>/g)].map(([, key]) => key)).toEqual([
    'com.apple.security.cs.allow-jit',
  ]);
});

it('the macOS build opens folders and explains its file access', () => {
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
