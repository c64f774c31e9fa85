import fc from 'fast-check';
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

  it('is nothing for any other arguments', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (args) => {
        const ours = args.filter((argument) =>
          argument.toLowerCase().startsWith('tilelift://oauth/callback'),
        );
        expect(callbackArgument(args)).toBe(ours.length === 1 ? ours[0] : undefined);
      }),
    );
    expect(
      callbackArgument(['tilelift', 'tilelift://other/callback?code=c', 'https://oauth/callback']),
    ).toBeUndefined();
  });
});
