import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  autostartEntry,
  autostartFile,
  autostartFileItem,
  autostartProgram,
  startsAtLogin,
} from '../../../../main/desktop/login/xdg-autostart.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const args = ['--background'];
const lineOf = (entry: string, key: string) =>
  entry
    .split('\n')
    .find((line) => line.startsWith(`${key}=`))
    ?.slice(key.length + 1) ?? '';

/** Reads a value by the specification: general escapes, then quotes, then field codes. */
function readExec(value: string): string[] {
  const text = readString(value);
  const result = text.match(/"(?:[^"\\]|\\[\s\S])*"/g) ?? [];
  expect(result.join(' ')).toBe(text);
  return result.map((line) => {
    const quotedText = line.slice(1, -1).replace(/\\([\s\S])/g, '$1');
    expect(quotedText.replaceAll('%%', '')).not.toContain('%');
    return quotedText.replaceAll('%%', '%');
  });
}

function readString(value: string): string {
  const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', s: ' ', '\\': '\\' };
  return value.trim().replace(/\\(.)/g, (_whole, letter: string) => {
    const meantCharacter = escapes[letter];
    if (meantCharacter === undefined) throw new Error(`No such escape: ${letter}`);
    return meantCharacter;
  });
}

describe('autostartEntry()', () => {
  it('autostartEntry() names the program with its background argument', () => {
    expect(autostartEntry('/opt/Tilelift/tilelift', args).split('\n')).toEqual([
      '[Desktop Entry]',
      'Type=Application',
      'Version=1.0',
      'Name=Tilelift',
      'Comment=Watches folders and uploads what arrives there',
      'TryExec=/opt/Tilelift/tilelift',
      'Exec="/opt/Tilelift/tilelift" "--background"',
      'Terminal=false',
      'StartupNotify=false',
      'X-GNOME-Autostart-enabled=true',
      '',
    ]);
  });

  it.each([
    ['/opt/Tile lift/app', '"/opt/Tile lift/app"'],
    ['/opt/say "hi"/app', String.raw`"/opt/say \\"hi\\"/app"`],
    ['/opt/$HOME/app', String.raw`"/opt/\\$HOME/app"`],
    ['/opt/`id`/app', '"/opt/\\\\`id\\\\`/app"'],
    ['/opt/a\\b/app', String.raw`"/opt/a\\\\b/app"`],
    ['/opt/100%u/app', '"/opt/100%%u/app"'],
    ['/opt/two\nlines/app', String.raw`"/opt/two\nlines/app"`],
  ])('autostartEntry() quotes %j', (program, expected) =>
    expect(lineOf(autostartEntry(program, []), 'Exec')).toBe(expected),
  );

  it('round-trips any program and argument on one line', () => {
    const anyText = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0'));
    const oddText = fc.string({ unit: fc.constantFrom('"', '`', '$', '\\', '%', ' ', '\n', '\t', "'", 'a') });
    fc.assert(
      fc.property(fc.oneof(anyText, oddText), oddText, (name, argument) => {
        const program = `/opt/${name.replaceAll('=', '')}x`;
        const entry = autostartEntry(program, [argument]);
        expect(readExec(lineOf(entry, 'Exec'))).toEqual([program, argument]);
        expect(readString(lineOf(entry, 'TryExec'))).toBe(program);
        expect(entry.split('\n')).toHaveLength(11);
        expect(startsAtLogin(entry, program, [argument])).toBe(true);
      }),
    );
  });

  it('autostartEntry() throws for a program with an equal sign, which the specification forbids', () => {
    expect(() => autostartEntry('/opt/a=b/app', args)).toThrow(
      expect.objectContaining({ code: 'login-item-unavailable' }),
    );
  });
});

describe('startsAtLogin()', () => {
  const program = '/opt/tilelift';
  const entry = autostartEntry(program, args);

  it('startsAtLogin() is false when the user or the desktop disabled the entry', () => {
    expect(startsAtLogin(`${entry}Hidden=true\n`, program, args)).toBe(false);
    expect(startsAtLogin(entry.replace('enabled=true', 'enabled=false'), program, args)).toBe(false);
  });

  it('startsAtLogin() is false for another Tilelift or no entry', () => {
    expect(startsAtLogin(entry, '/elsewhere/tilelift', args)).toBe(false);
    expect(startsAtLogin('', program, args)).toBe(false);
  });

  it('startsAtLogin() reads only the main group of the entry', () => {
    expect(startsAtLogin(`${entry}[Desktop Action new]\nHidden=true\nExec=other\n`, program, args)).toBe(
      true,
    );
  });

  it('startsAtLogin() is true for an entry that a desktop rewrote with its own keys', () => {
    const rewritten = entry.replaceAll('=', ' = ').replace('Terminal', 'X-Delay=5\nTerminal');
    expect(startsAtLogin(rewritten, program, args)).toBe(true);
  });
});

it('the autostart file and program follow XDG_CONFIG_HOME when it is absolute', () => {
  const place = (config?: string) => autostartFile({ XDG_CONFIG_HOME: config }, '/home/ada');
  expect(place('/cfg')).toBe('/cfg/autostart/tilelift.desktop');
  expect(place('cfg')).toBe('/home/ada/.config/autostart/tilelift.desktop');
  expect(place('')).toBe('/home/ada/.config/autostart/tilelift.desktop');
  expect(place()).toBe('/home/ada/.config/autostart/tilelift.desktop');
});

it('the autostart file and program start the AppImage instead of its mount', () => {
  const environment = { APPIMAGE: '/home/ada/Tilelift.AppImage', APPDIR: '/tmp/.mount_x' };
  expect(autostartProgram(environment, '/tmp/.mount_x/tilelift')).toBe('/home/ada/Tilelift.AppImage');
});

it('the autostart file and program start the executable when the AppImage belongs to another program', () => {
  const environment = { APPIMAGE: '/home/ada/Terminal.AppImage', APPDIR: '/tmp/.mount_y' };
  expect(autostartProgram(environment, '/opt/tilelift')).toBe('/opt/tilelift');
  expect(autostartProgram({}, '/opt/tilelift')).toBe('/opt/tilelift');
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'config', 'autostart', 'tilelift.desktop');
});

const program = '/opt/Tilelift/tilelift';
const item = () => autostartFileItem({ file, program, args });

it('autostartFileItem() creates the entry with its folder and no other file', () => {
  expect(item().isOn()).toBe(false);
  item().set(true);
  expect(item().isOn()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(autostartEntry(program, args));
  expect(readdirSync(dirname(file))).toEqual(['tilelift.desktop']);
});

it('autostartFileItem() replaces a disabled entry or one of another program', () => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${autostartEntry('/elsewhere/tilelift', args)}Hidden=true\n`);
  expect(item().isOn()).toBe(false);
  item().set(true);
  expect(item().isOn()).toBe(true);
});

it('autostartFileItem() removes the entry when switched off twice', () => {
  item().set(true);
  item().set(false);
  item().set(false);
  expect(readdirSync(dirname(file))).toEqual([]);
});

it('autostartFileItem() throws and leaves no partial file when it can’t write', () => {
  mkdirSync(join(file, 'in-its-place'), { recursive: true });
  expect(() => item().set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
  expect(readdirSync(dirname(file))).toEqual(['tilelift.desktop']);
  expect(item().isOn()).toBe(false);
});

it('autostartFileItem() throws when a file occupies the path of its folder', () => {
  writeFileSync(join(folder, 'config'), '');
  expect(() => item().set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
});
