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

it('callbackArgument() finds the callback wherever Chromium has moved it', () => {
  expect(callbackArgument(['/opt/tilelift', '--no-sandbox', callback, '--flag=1'])).toBe(callback);
});

it('callbackArgument() finds a callback whose scheme the system wrote in capitals', () => {
  expect(callbackArgument(['tilelift', 'TILELIFT://oauth/callback?code=c'])).toBe(
    'TILELIFT://oauth/callback?code=c',
  );
});

it('callbackArgument() rejects two callbacks', () => {
  expect(callbackArgument(['tilelift', callback, `${callback}2`])).toBeUndefined();
});

it('callbackArgument() finds the callback next to an invalid one', () => {
  expect(callbackArgument(['tilelift', 'tilelift://oauth/callback', callback])).toBe(callback);
});

it.each([
  'tilelift://oauth/callback',
  'tilelift://oauth/callback?state=s',
  'tilelift://oauth/callbacks?code=c&state=s',
  'tilelift://other/callback?code=c&state=s',
  'https://oauth/callback?code=c&state=s',
  '--url=tilelift://oauth/callback?code=c&state=s',
])('callbackArgument() rejects %s', (argument) =>
  expect(callbackArgument(['tilelift', argument])).toBeUndefined(),
);

describe('a launch by a link on Windows', () => {
  const program = 'C:\\Program Files\\Tilelift\\Tilelift.exe';
  const registeredScript = readFileSync(new URL('../../../../build/installer.nsh', import.meta.url), 'utf8');

  it('a launch by a link on Windows registers the marker and two dashes before the link, in the installer and the program', () => {
    expect(registeredScript).toMatch(/tilelift\\shell\\open\\command" "" '"[^"]+" --link -- "%1"'/);
    expect(linkArguments).toEqual(['--link', '--']);
    const claims: unknown[] = [];
    const app = { isPackaged: true, setAsDefaultProtocolClient: (...args: unknown[]) => claims.push(args) };
    claimScheme(app as unknown as App, [program], 'win32');
    expect(claims).toEqual([['tilelift', process.execPath, ['--link', '--']]]);
  });

  it('a launch by a link on Windows finds the link even after switches that Chromium inserted', () => {
    expect(callbackArgument([program, ...linkArguments, callback])).toBe(callback);
    expect(callbackArgument([program, '--link', '--allow-file-access-from-files', '--', callback])).toBe(
      callback,
    );
  });

  it('a launch by a link on Windows ignores a link in another position', () => {
    expect(callbackArgument([program, '--link', callback])).toBeUndefined();
    expect(callbackArgument([program, '--link', callback, '--'])).toBeUndefined();
  });

  it('S95: a launch by a link on Windows treats nothing in a link as a switch, a source or a background start', () => {
    // The arguments that a link with a quotation mark becomes.
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

it('isBackgroundLaunch() detects the argument wherever Chromium has moved it', () => {
  expect(isBackgroundLaunch(['/opt/tilelift', '--no-sandbox', '--background', 'x'])).toBe(true);
});

it('isBackgroundLaunch() ignores other arguments', () => {
  expect(isBackgroundLaunch(['/opt/tilelift', '--background-color', 'background'])).toBe(false);
});

const program = '/opt/Tilelift/tilelift';
const pathsFrom = (...args: string[]) => pathsIn([program, ...args], [program]);

describe.skipIf(process.platform === 'win32')('pathsIn() for the arguments of a launch', () => {
  it('pathsIn() for the arguments of a launch returns each absolute path once', () => {
    expect(pathsFrom('/data/Flight 12', '/data/dem.tif', '/data/Flight 12')).toEqual([
      '/data/Flight 12',
      '/data/dem.tif',
    ]);
  });

  it('pathsIn() for the arguments of a launch accepts file addresses as file managers on Linux send them', () => {
    expect(pathsFrom('file:///data/Flug%20%C3%BCber%20Wien')).toEqual(['/data/Flug über Wien']);
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
  ])('pathsIn() for the arguments of a launch ignores %s', (_what, args) =>
    expect(pathsFrom(...args)).toEqual([]),
  );

  it('pathsIn() for the arguments of a launch returns no path next to a link, which another program may have written', () => {
    expect(pathsFrom('tilelift://oauth/callback?code=a&state=b', '/data/Flight')).toEqual([]);
    expect(pathsFrom('/data/Flight', 'TILELIFT:x')).toEqual([]);
  });

  it('pathsIn() for the arguments of a launch returns only absolute paths for any arguments', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.webUrl(),
            fc.string().map((text) => `file://${text}`),
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
