import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFuses, shippingFuses } from '../../scripts/package/fuses.mjs';
import { executableOf, outputs, unpackedApp } from '../../scripts/package/unpacked-app.mjs';
import { hashOfHeader, readAsar } from '../installed/support/asar.ts';
import { strangers } from '../installed/support/what-runs.ts';
import { readExecutable } from './support/windows-executable.ts';

const root = join(import.meta.dirname, '..', '..');
const app = unpackedApp(join(root, outputs.windowsTrial));
const executable = executableOf(app);
const archive = join(app, 'resources', 'app.asar');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const said = readExecutable(executable);

describe('executable for Windows', () => {
  it('names the app and its publisher in its properties', () => {
    expect(said.strings).toMatchObject({
      ProductName: 'Tilelift',
      FileDescription: 'Tilelift',
      CompanyName: 'The Tilelift authors',
      LegalCopyright: expect.stringContaining('The Tilelift authors'),
      InternalName: 'Tilelift',
      FileVersion: version,
      // Windows counts in four numbers.
      ProductVersion: `${version}.0`,
    });
  });

  it('has only our icon, in every size that Windows shows', () => {
    expect(said.icons).toEqual([[16, 20, 24, 32, 40, 48, 64, 96, 128, 256]]);
  });

  it('requests the user’s rights and per-monitor resolution', () => {
    expect(said.manifest).toContain('<requestedExecutionLevel level="asInvoker" uiAccess="false"/>');
    expect(said.manifest).toMatch(/<dpiAware>true\/pm<\/dpiAware>/);
  });

  it('sets every fuse as decided, including archive integrity', async () => {
    const fuses = await readFuses(executable);
    expect(fuses).toEqual(Object.fromEntries(shippingFuses('win32')));
    expect(fuses.EnableEmbeddedAsarIntegrityValidation).toBe(true);
  });

  it('contains the hash of its archive', () => {
    expect(said.integrity.get('resources\\app.asar')).toEqual({
      alg: 'SHA256',
      value: hashOfHeader(archive),
    });
  });
});

describe('archive for Windows', () => {
  it('contains only what runs, with valid hashes', () => {
    const files = readAsar(archive);
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['package.json', 'out/main/index.js', 'build/tray/windows.png']),
    );
    expect(strangers(files.map(({ path }) => path))).toEqual([]);
    expect(files.filter(({ intact }) => !intact)).toEqual([]);
  });

  it('is the only archive, without Electron’s sample app', () => {
    expect(existsSync(join(app, 'resources', 'default_app.asar'))).toBe(false);
  });
});

describe('installer script', () => {
  const folder = 'C:\\Program Files\\Tilelift';
  const script = readFileSync(join(root, 'build', 'installer.nsh'), 'utf8');
  const values = { $INSTDIR: folder, '${APP_EXECUTABLE_FILENAME}': 'Tilelift.exe' };
  const { written } = registryWork(script, 'customInstall', values);
  const registered = (key: string, name = '') =>
    written.find((one) => one.key === `Software\\Classes\\${key}` && one.name === name)?.value;
  const start = `"${folder}\\Tilelift.exe" "%1"`;

  it('names the packaged executable', () => {
    expect(executable.endsWith('Tilelift.exe')).toBe(true);
    expect(existsSync(executable)).toBe(true);
  });

  it('passes tilelift: addresses behind a marker, so that none can be a switch', () => {
    expect(registered('tilelift')).toBe('URL:Tilelift sign-in');
    expect(registered('tilelift', 'URL Protocol')).toBe('');
    expect(registered('tilelift\\shell\\open\\command')).toBe(start.replace(' "%1"', ' --link -- "%1"'));
  });

  it('adds Tilelift to the menu of folders with its own text', () => {
    expect(registered('Directory\\shell\\Tilelift')).toBe('Upload with Tilelift');
    expect(registered('Directory\\shell\\Tilelift\\command')).toBe(start);
  });

  it('removes every registry key that it wrote', () => {
    const { deleted } = registryWork(script, 'customUnInstall', values);
    expect(written.length).toBeGreaterThan(5);
    const left = written.filter(({ key }) => !deleted.some((gone) => `${key}\\`.startsWith(`${gone}\\`)));
    expect(left).toEqual([]);
  });
});

/** What a macro of the installer's script does to the registry. */
interface RegistryWork {
  readonly written: readonly { readonly key: string; readonly name: string; readonly value: string }[];
  /** Whole keys. */
  readonly deleted: readonly string[];
}

/**
 * Reads a macro of an NSIS script. `values` are those of its variables and defines, as they stand in the
 * script.
 */
function registryWork(script: string, macro: string, values: Readonly<Record<string, string>>): RegistryWork {
  const [, body = ''] = new RegExp(`!macro ${macro}\\n([\\s\\S]*?)!macroend`).exec(script) ?? [];
  const filled = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), body);
  const quoted = `(?:"([^"]*)"|'([^']*)')`;
  const written = filled.matchAll(new RegExp(`WriteRegStr SHELL_CONTEXT ${quoted} ${quoted} ${quoted}`, 'g'));
  const deleted = filled.matchAll(new RegExp(`DeleteRegKey SHELL_CONTEXT ${quoted}`, 'g'));
  return {
    written: [...written].map((found) => {
      const [key = '', name = '', value = ''] = [1, 3, 5].map((at) => found[at] ?? found[at + 1]);
      return { key, name, value };
    }),
    deleted: [...deleted].map((found) => found[1] ?? found[2] ?? ''),
  };
}
