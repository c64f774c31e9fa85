import { describe, expect, it } from 'vitest';
import { callbackArgument } from '../../../main/desktop/callback-argument.ts';

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
