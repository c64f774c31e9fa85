import { describe, expect, it } from 'vitest';
import { isBackgroundLaunch } from '../../../../main/desktop/launch/background-argument.ts';

describe('a launch that leaves the person alone', () => {
  it('says so in its arguments, wherever Chromium has moved it', () => {
    expect(isBackgroundLaunch(['/opt/tilelift', '--no-sandbox', '--background', 'x'])).toBe(true);
  });

  it('is no other launch', () => {
    expect(isBackgroundLaunch(['/opt/tilelift', '--background-color', 'background'])).toBe(false);
  });
});
