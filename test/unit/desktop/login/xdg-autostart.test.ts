import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  autostartEntry,
  autostartFile,
  autostartFileItem,
  autostartProgram,
  startsAtLogin,
} from '../../../../main/desktop/login/xdg-autostart.ts';

const args = ['--background'];
const lineOf = (entry: string, key: string) =>
  entry
    .split('\n')
    .find((line) => line.startsWith(`${key}=`))
    ?.slice(key.length + 1) ?? '';

/** A value as the specification reads it: general escapes, then quotes, then field codes. */
function readExec(value: string): string[] {
  const text = readString(value);
  const found = text.match(/"(?:[^"\\]|\\[\s\S])*"/g) ?? [];
  expect(found.join(' ')).toBe(text);
  return found.map((one) => {
    const inside = one.slice(1, -1).replace(/\\([\s\S])/g, '$1');
    expect(inside.replaceAll('%%', '')).not.toContain('%');
    return inside.replaceAll('%%', '%');
  });
}

function readString(value: string): string {
  const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', s: ' ', '\\': '\\' };
  return value.trim().replace(/\\(.)/g, (_whole, letter: string) => {
    const meant = escapes[letter];
    if (meant === undefined) throw new Error(`No such escape: ${letter}`);
    return meant;
  });
}

describe('the entry for start at login', () => {
  it('names the program and tells it to stay in the background', () => {
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
  ])('quotes %j', (program, expected) => {
    expect(lineOf(autostartEntry(program, []), 'Exec')).toBe(expected);
  });

  it('leads back to any program and argument, on one line', () => {
    const anyText = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0'));
    const odd = fc.string({ unit: fc.constantFrom('"', '`', '$', '\\', '%', ' ', '\n', '\t', "'", 'a') });
    fc.assert(
      fc.property(fc.oneof(anyText, odd), odd, (name, argument) => {
        const program = `/opt/${name.replaceAll('=', '')}x`;
        const entry = autostartEntry(program, [argument]);
        expect(readExec(lineOf(entry, 'Exec'))).toEqual([program, argument]);
        expect(readString(lineOf(entry, 'TryExec'))).toBe(program);
        expect(entry.split('\n')).toHaveLength(11);
        expect(startsAtLogin(entry, program, [argument])).toBe(true);
      }),
    );
  });

  it('can’t be made for a program with an equal sign, which the specification forbids', () => {
    expect(() => autostartEntry('/opt/a=b/app', args)).toThrow(
      expect.objectContaining({ code: 'login-item-unavailable' }),
    );
  });
});

describe('whether an entry starts Tilelift', () => {
  const program = '/opt/tilelift';
  const entry = autostartEntry(program, args);

  it('is no when the person or the desktop has switched it off', () => {
    expect(startsAtLogin(`${entry}Hidden=true\n`, program, args)).toBe(false);
    expect(startsAtLogin(entry.replace('enabled=true', 'enabled=false'), program, args)).toBe(false);
  });

  it('is no for an entry of a Tilelift elsewhere, or none of ours', () => {
    expect(startsAtLogin(entry, '/elsewhere/tilelift', args)).toBe(false);
    expect(startsAtLogin('', program, args)).toBe(false);
  });

  it('looks at the entry’s main group alone', () => {
    expect(startsAtLogin(`${entry}[Desktop Action new]\nHidden=true\nExec=other\n`, program, args)).toBe(
      true,
    );
  });

  it('is yes for an entry that a desktop has written again with its own keys', () => {
    const again = entry.replaceAll('=', ' = ').replace('Terminal', 'X-Delay=5\nTerminal');
    expect(startsAtLogin(again, program, args)).toBe(true);
  });
});

describe('where the entry is and what it starts', () => {
  it('follows the environment, unless that is not absolute', () => {
    const place = (config?: string) => autostartFile({ XDG_CONFIG_HOME: config }, '/home/ada');
    expect(place('/cfg')).toBe('/cfg/autostart/tilelift.desktop');
    expect(place('cfg')).toBe('/home/ada/.config/autostart/tilelift.desktop');
    expect(place('')).toBe('/home/ada/.config/autostart/tilelift.desktop');
    expect(place()).toBe('/home/ada/.config/autostart/tilelift.desktop');
  });

  it('is the AppImage rather than its mount', () => {
    const environment = { APPIMAGE: '/home/ada/Tilelift.AppImage', APPDIR: '/tmp/.mount_x' };
    expect(autostartProgram(environment, '/tmp/.mount_x/tilelift')).toBe('/home/ada/Tilelift.AppImage');
  });

  it('is the executable where the AppImage is another program’s', () => {
    const environment = { APPIMAGE: '/home/ada/Terminal.AppImage', APPDIR: '/tmp/.mount_y' };
    expect(autostartProgram(environment, '/opt/tilelift')).toBe('/opt/tilelift');
    expect(autostartProgram({}, '/opt/tilelift')).toBe('/opt/tilelift');
  });
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tilelift-autostart-'));
  file = join(folder, 'config', 'autostart', 'tilelift.desktop');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const program = '/opt/Tilelift/tilelift';
const item = () => autostartFileItem({ file, program, args });

describe('the entry in the autostart folder', () => {
  it('is made with its folder, and nothing beside it', () => {
    expect(item().isOn()).toBe(false);
    item().set(true);
    expect(item().isOn()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(autostartEntry(program, args));
    expect(readdirSync(dirname(file))).toEqual(['tilelift.desktop']);
  });

  it('takes the place of one that is switched off or names another program', () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${autostartEntry('/elsewhere/tilelift', args)}Hidden=true\n`);
    expect(item().isOn()).toBe(false);
    item().set(true);
    expect(item().isOn()).toBe(true);
  });

  it('is removed when it is switched off, and stays so', () => {
    item().set(true);
    item().set(false);
    item().set(false);
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('that can’t be written leaves nothing half done and says so', () => {
    mkdirSync(join(file, 'in-its-place'), { recursive: true });
    expect(() => item().set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
    expect(readdirSync(dirname(file))).toEqual(['tilelift.desktop']);
    expect(item().isOn()).toBe(false);
  });

  it('says so also where a file stands in the place of its folder', () => {
    writeFileSync(join(folder, 'config'), '');
    expect(() => item().set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
  });
});
