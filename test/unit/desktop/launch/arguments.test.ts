import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { App } from 'electron';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callbackArgument,
  isBackgroundLaunch,
  linkArguments,
  pathsIn,
  switchesIn,
} from '../../../../main/desktop/launch/arguments.ts';
import { claimScheme } from '../../../../main/desktop/launch/scheme.ts';

const callback = 'tilelift://oauth/callback?code=c&state=s';

describe('the callback among the arguments of a launch', () => {
  it('is found wherever Chromium has moved it', () => {
    expect(callbackArgument(['/opt/tilelift', '--no-sandbox', callback, '--flag=1'])).toBe(callback);
  });

  it('is found when the system has changed the case of the scheme', () => {
    expect(callbackArgument(['tilelift', 'TILELIFT://oauth/callback?code=c'])).toBe(
      'TILELIFT://oauth/callback?code=c',
    );
  });

  it('is nothing when there are two', () => {
    expect(callbackArgument(['tilelift', callback, `${callback}2`])).toBeUndefined();
  });

  it('is found beside one that only looks like ours', () => {
    expect(callbackArgument(['tilelift', 'tilelift://oauth/callback', callback])).toBe(callback);
  });

  it.each([
    'tilelift://oauth/callback',
    'tilelift://oauth/callback?state=s',
    'tilelift://oauth/callbacks?code=c&state=s',
    'tilelift://other/callback?code=c&state=s',
    'https://oauth/callback?code=c&state=s',
    '--url=tilelift://oauth/callback?code=c&state=s',
  ])('is nothing for %s', (argument) => {
    expect(callbackArgument(['tilelift', argument])).toBeUndefined();
  });
});

describe('a launch by a link on Windows', () => {
  const program = 'C:\\Program Files\\Tilelift\\Tilelift.exe';
  const registered = readFileSync(new URL('../../../../build/installer.nsh', import.meta.url), 'utf8');

  it('puts the link behind the marker and the two dashes, as the installer and the program register it', () => {
    expect(registered).toMatch(/tilelift\\shell\\open\\command" "" '"[^"]+" --link -- "%1"'/);
    expect(linkArguments).toEqual(['--link', '--']);
    const claims: unknown[] = [];
    const app = { isPackaged: true, setAsDefaultProtocolClient: (...given: unknown[]) => claims.push(given) };
    claimScheme(app as unknown as App, [program], 'win32');
    expect(claims).toEqual([['tilelift', process.execPath, ['--link', '--']]]);
  });

  it('brings its link, also where Chromium has put switches before the dashes', () => {
    expect(callbackArgument([program, ...linkArguments, callback])).toBe(callback);
    expect(callbackArgument([program, '--link', '--allow-file-access-from-files', '--', callback])).toBe(
      callback,
    );
  });

  it('brings nothing where the link stands elsewhere', () => {
    expect(callbackArgument([program, '--link', callback])).toBeUndefined();
    expect(callbackArgument([program, '--link', callback, '--'])).toBeUndefined();
  });

  it('is never a switch, a source or a start without a window, whatever stands in the link', () => {
    // What a link with a quotation mark in it comes to.
    const args = [
      program,
      ...linkArguments,
      'tilelift:x',
      '--background',
      '--remote-debugging-port=9',
      'C:\\secret',
      '/etc/passwd',
    ];
    expect(switchesIn(args)).toEqual([program, '--link']);
    expect(isBackgroundLaunch(args)).toBe(false);
    expect(pathsIn(args, [])).toEqual([]);
    expect(pathsIn([program, ...linkArguments, '/etc/passwd'], [])).toEqual([]);
    expect(callbackArgument(args)).toBeUndefined();
  });
});

describe('a launch that leaves the person alone', () => {
  it('says so in its arguments, wherever Chromium has moved it', () => {
    expect(isBackgroundLaunch(['/opt/tilelift', '--no-sandbox', '--background', 'x'])).toBe(true);
  });

  it('is no other launch', () => {
    expect(isBackgroundLaunch(['/opt/tilelift', '--background-color', 'background'])).toBe(false);
  });
});

const program = '/opt/Tilelift/tilelift';
const given = (...args: string[]) => pathsIn([program, ...args], [program]);

describe.skipIf(process.platform === 'win32')('the paths that a launch was given', () => {
  it('are the absolute ones, each once', () => {
    expect(given('/data/Flight 12', '/data/dem.tif', '/data/Flight 12')).toEqual([
      '/data/Flight 12',
      '/data/dem.tif',
    ]);
  });

  it('may come as addresses of files, as file managers on Linux give them', () => {
    expect(given('file:///data/Flug%20%C3%BCber%20Wien')).toEqual(['/data/Flug über Wien']);
  });

  it.each([
    ['options', ['--background', '--user-data-dir=/tmp/x', '-v']],
    ['relative paths', ['flight', './flight', '../flight', '.']],
    [
      'other addresses',
      ['https://example.com/data', 'app://tilelift/', 'file://server/share', 'file:///a%2fb'],
    ],
    ['broken ones', ['file:///%zz', '/data/\0', 'file:///data%00', '']],
    ['the program itself', ['/opt/Tilelift/../Tilelift/tilelift']],
  ])('are not %s', (_what, args) => {
    expect(given(...args)).toEqual([]);
  });

  it('are none beside a link, which another program may have written', () => {
    expect(given('tilelift://oauth/callback?code=a&state=b', '/data/Flight')).toEqual([]);
    expect(given('/data/Flight', 'TILELIFT:x')).toEqual([]);
  });

  it('are absolute whatever was given', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.webUrl(),
            fc.string().map((s) => `file://${s}`),
          ),
        ),
        (args) => {
          for (const path of pathsIn(args, [])) {
            expect(isAbsolute(path)).toBe(true);
            expect(path).not.toContain('\0');
          }
        },
      ),
    );
  });
});
