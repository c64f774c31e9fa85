import { describe, expect, it } from 'vitest';
import { stateFolder } from '../../main/machine.ts';

const place = (platform: NodeJS.Platform, env: Record<string, string> = {}, home = '/home/ada') =>
  stateFolder({ platform, env, home });

describe('the system’s own place for what is kept apart from the user’s data', () => {
  it('is where each system has it', () => {
    expect(place('linux')).toBe('/home/ada/.local/state/tilelift');
    expect(place('linux', { XDG_STATE_HOME: '/var/lib/ada' })).toBe('/var/lib/ada/tilelift');
    expect(place('darwin', {}, '/Users/ada')).toBe('/Users/ada/Library/Caches/Tilelift');
    expect(place('win32', { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' }, 'C:\\Users\\ada')).toBe(
      'C:\\Users\\ada\\AppData\\Local\\Tilelift',
    );
  });

  it('is nowhere, rather than beside wherever the program was started', () => {
    expect(place('linux', { XDG_STATE_HOME: 'state' })).toBe('/home/ada/.local/state/tilelift');
    expect(place('linux', {}, '')).toBeNull();
    expect(place('win32', {}, 'C:\\Users\\ada')).toBeNull();
    expect(place('win32', { LOCALAPPDATA: 'Local' })).toBeNull();
  });
});
