import { readFileSync } from 'node:fs';
import type { App } from 'electron';
import { describe, expect, it } from 'vitest';
import { isBackgroundLaunch } from '../../../../main/desktop/launch/background-argument.ts';
import { callbackArgument } from '../../../../main/desktop/launch/callback-argument.ts';
import { givenPaths } from '../../../../main/desktop/launch/given-paths.ts';
import { linkArguments, switchesIn } from '../../../../main/desktop/launch/link-launch.ts';
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
    expect(givenPaths(args, [])).toEqual([]);
    expect(givenPaths([program, ...linkArguments, '/etc/passwd'], [])).toEqual([]);
    expect(callbackArgument(args)).toBeUndefined();
  });
});
