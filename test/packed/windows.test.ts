import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFuses, shippingFuses } from '../../scripts/package/fuses.mjs';
import { noticesName } from '../../scripts/package/notices.mjs';
import { executableOf, outputs, unpackedApp } from '../../scripts/package/unpacked-app.mjs';
import { hashOfHeader, readAsar } from '../installed/support/asar.ts';
import { strangers } from '../installed/support/what-runs.ts';
import { unnoticed } from './support/unnoticed.ts';
import { readExecutable } from './support/windows-executable.ts';

const root = join(import.meta.dirname, '..', '..');
const app = unpackedApp(join(root, outputs.windowsTrial));
const executable = executableOf(app);
const archive = join(app, 'resources', 'app.asar');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const properties = readExecutable(executable);

it('the executable for Windows says in its properties what it is and from whom', () => {
  expect(properties.strings).toMatchObject({
    ProductName: 'Tilelift',
    FileDescription: 'Tilelift',
    CompanyName: 'The Tilelift authors',
    LegalCopyright: expect.stringContaining('The Tilelift authors'),
    InternalName: 'Tilelift',
    FileVersion: version,
    // Windows versions have four numbers.
    ProductVersion: `${version}.0`,
  });
});

it('the executable for Windows has our icon and no other, in every size that Windows shows', () => {
  expect(properties.icons).toEqual([[16, 20, 24, 32, 40, 48, 64, 96, 128, 256]]);
});

it('the executable for Windows asks for no more rights than the person has, and for the sharpness of each screen', () => {
  expect(properties.manifest).toContain('<requestedExecutionLevel level="asInvoker" uiAccess="false"/>');
  expect(properties.manifest).toMatch(/<dpiAware>true\/pm<\/dpiAware>/);
});

it('the executable for Windows has every fuse as decided, the integrity of the archive among them', async () => {
  const fuses = await readFuses(executable);
  expect(fuses).toEqual(Object.fromEntries(shippingFuses('win32')));
  expect(fuses.EnableEmbeddedAsarIntegrityValidation).toBe(true);
});

it('the executable for Windows knows the archive that it may run', () => {
  expect(properties.integrity.get('resources\\app.asar')).toEqual({
    alg: 'SHA256',
    value: hashOfHeader(archive),
  });
});

it('the folder for Windows has the notices of every package in the bundles, and those of Electron', () => {
  const notices = readFileSync(join(app, 'resources', noticesName), 'utf8');
  expect(unnoticed(notices, ['main', 'preload', 'renderer'])).toEqual([]);
  for (const name of notices.match(/LICENSES?\.\w+\.\w+/g) ?? [])
    expect(existsSync(join(app, name))).toBe(true);
  expect(notices).toContain('SIL OPEN FONT LICENSE');
});

it('the folder for Windows has the languages of Tilelift and no others', () => {
  expect(readdirSync(join(app, 'locales')).sort()).toEqual(['de.pak', 'en-GB.pak', 'en-US.pak']);
});

it('the archive for Windows holds what runs and nothing else, whole', () => {
  const files = readAsar(archive);
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['package.json', 'out/main/index.js', 'build/tray/windows.png']),
  );
  expect(strangers(files.map(({ path }) => path))).toEqual([]);
  expect(files.filter(({ intact }) => !intact)).toEqual([]);
});

it('the archive for Windows is the only one there: Electron’s sample app is not', () => {
  expect(existsSync(join(app, 'resources', 'default_app.asar'))).toBe(false);
});

describe('the installer’s script', () => {
  const folder = 'C:\\Program Files\\Tilelift';
  const script = readFileSync(join(root, 'build', 'installer.nsh'), 'utf8');
  const values = { $INSTDIR: folder, '${APP_EXECUTABLE_FILENAME}': 'Tilelift.exe' };
  const { written: writtenKeys } = registryWork(script, 'customInstall', values);
  const registeredValue = (key: string, name = '') =>
    writtenKeys.find((entry) => entry.key === `Software\\Classes\\${key}` && entry.name === name)?.value;
  const start = `"${folder}\\Tilelift.exe" "%1"`;

  it('the installer’s script names the executable that is packed', () => {
    expect(executable.endsWith('Tilelift.exe')).toBe(true);
    expect(existsSync(executable)).toBe(true);
  });

  it('the installer’s script hands tilelift: addresses to it behind a marker, so that none of them can be a switch', () => {
    expect(registeredValue('tilelift')).toBe('URL:Tilelift sign-in');
    expect(registeredValue('tilelift', 'URL Protocol')).toBe('');
    expect(registeredValue('tilelift\\shell\\open\\command')).toBe(start.replace(' "%1"', ' --link -- "%1"'));
  });

  it('the installer’s script puts it into the menu of folders, under a text of its own', () => {
    expect(registeredValue('Directory\\shell\\Tilelift')).toBe('Upload with Tilelift');
    expect(registeredValue('Directory\\shell\\Tilelift\\command')).toBe(start);
  });

  it('the installer’s script takes back on removal every key that it wrote', () => {
    const { deleted: deletedKeys } = registryWork(script, 'customUnInstall', values);
    expect(writtenKeys.length).toBeGreaterThan(5);
    const remaining = writtenKeys.filter(
      ({ key }) => !deletedKeys.some((deletedKey) => `${key}\\`.startsWith(`${deletedKey}\\`)),
    );
    expect(remaining).toEqual([]);
  });
});

/** Registry changes by a macro of the installer's script. */
interface RegistryWork {
  readonly written: readonly { readonly key: string; readonly name: string; readonly value: string }[];
  /** Keys that are deleted completely. */
  readonly deleted: readonly string[];
}

/** Parses a macro of an NSIS script. `values`: its variables and defines, literally. */
function registryWork(script: string, macro: string, values: Readonly<Record<string, string>>): RegistryWork {
  const [, body = ''] = new RegExp(`!macro ${macro}\\n([\\s\\S]*?)!macroend`).exec(script) ?? [];
  const filledScript = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    body,
  );
  const quoted = `(?:"([^"]*)"|'([^']*)')`;
  const writeMatches = filledScript.matchAll(
    new RegExp(`WriteRegStr SHELL_CONTEXT ${quoted} ${quoted} ${quoted}`, 'g'),
  );
  const deleteMatches = filledScript.matchAll(new RegExp(`DeleteRegKey SHELL_CONTEXT ${quoted}`, 'g'));
  return {
    written: [...writeMatches].map((match) => {
      const [key = '', name = '', value = ''] = [1, 3, 5].map((at) => match[at] ?? match[at + 1]);
      return { key, name, value };
    }),
    deleted: [...deleteMatches].map((match) => match[1] ?? match[2] ?? ''),
  };
}
