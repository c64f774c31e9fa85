import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { electronBuilder } from '../../scripts/package/builder.mjs';
import { requireLibrary } from '../../scripts/package/builder-library.mjs';
import { readFuses, shippingFuses } from '../../scripts/package/fuses.mjs';
import { noticesName } from '../../scripts/package/notices.mjs';
import { executableOf, unpackedApp } from '../../scripts/package/unpacked-app.mjs';
import { hashOfHeader } from '../installed/support/asar.ts';
import { bareMacElectron, frameworkResources } from './support/bare-mac-electron.ts';
import { unnoticed } from './support/unnoticed.ts';

const { parse } = requireLibrary('plist');
const build = join(import.meta.dirname, '..', '..', 'build');

/** An app packed by electron-builder with our configuration around an empty Electron. */
let work: string;
let executable: string;
let contents: string;
let info: Record<string, unknown>;
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'tilelift-mac-'));
  const electron = join(work, 'electron');
  await bareMacElectron(electron);
  const args = ['--mac', 'dir', '--x64', `-c.directories.output=${work}`, '-c.mac.identity=null'];
  await electronBuilder(args, {
    find: async () => ({ official: false, folder: electron, version: '42.0.0' }),
  });
  executable = executableOf(unpackedApp(work));
  contents = join(executable, '..', '..');
  info = parse(readFileSync(join(contents, 'Info.plist'), 'utf8'));
});
afterAll(() => rm(work, { recursive: true, force: true }));

it('Info.plist: names the app and its publisher', () => {
  expect(info).toMatchObject({
    CFBundleIdentifier: 'org.tilelift.desktop',
    CFBundleName: 'Tilelift',
    CFBundleExecutable: 'Tilelift',
    NSHumanReadableCopyright: expect.stringContaining('The Tilelift authors'),
    LSApplicationCategoryType: 'public.app-category.productivity',
  });
});

it('Info.plist: leaves the minimum macOS version to Electron and supports high resolution', () => {
  expect(info).toMatchObject({ LSMinimumSystemVersion: '12.0', NSHighResolutionCapable: true });
});

it('Info.plist: registers tilelift: addresses, and folders only on request', () => {
  expect(info.CFBundleURLTypes).toEqual([
    { CFBundleURLName: 'Tilelift sign-in', CFBundleTypeRole: 'Editor', CFBundleURLSchemes: ['tilelift'] },
  ]);
  expect(info.CFBundleDocumentTypes).toEqual([
    {
      CFBundleTypeName: 'Folder',
      CFBundleTypeRole: 'Viewer',
      LSHandlerRank: 'Alternate',
      LSItemContentTypes: ['public.folder'],
    },
  ]);
});

it('Info.plist: explains access to the folders it reads, and to nothing else', () => {
  expect(
    Object.keys(info)
      .filter((key) => key.endsWith('UsageDescription'))
      .sort(),
  ).toEqual([
    'NSDesktopFolderUsageDescription',
    'NSDocumentsFolderUsageDescription',
    'NSDownloadsFolderUsageDescription',
    'NSNetworkVolumesUsageDescription',
    'NSRemovableVolumesUsageDescription',
  ]);
});

it('Info.plist: allows unencrypted connections on this computer only', () => {
  expect(info.NSAppTransportSecurity).toEqual({ NSAllowsLocalNetworking: true });
});

it('Info.plist: contains the hash of the app’s archive', () => {
  expect(info.ElectronAsarIntegrity).toMatchObject({
    'Resources/app.asar': {
      algorithm: 'SHA256',
      hash: hashOfHeader(join(contents, 'Resources', 'app.asar')),
    },
  });
});

it('the app for macOS sets every fuse as decided', async () => {
  expect(await readFuses(executable)).toEqual(Object.fromEntries(shippingFuses('darwin')));
});

it('the app for macOS packs the languages of Tilelift and no others', () => {
  const languages = readdirSync(join(contents, frameworkResources));
  expect(languages.sort()).toEqual(['de.lproj', 'en.lproj', 'en_GB.lproj']);
});

it('the app for macOS has the notices of every package in the bundles; electron-builder adds those of a whole Electron', () => {
  const notices = readFileSync(join(contents, 'Resources', noticesName), 'utf8');
  expect(unnoticed(notices, ['main', 'preload', 'renderer'])).toEqual([]);
  expect(readdirSync(join(contents, 'Resources'))).toContain('policy');
});

it('the app for macOS has our icon', () => {
  const icon = readFileSync(join(contents, 'Resources', String(info.CFBundleIconFile)));
  expect(icon).toEqual(readFileSync(join(build, 'icon.icns')));
});
