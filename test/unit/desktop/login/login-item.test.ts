import type { App, Settings } from 'electron';
import { describe, expect, it } from 'vitest';
import { createLoginItem } from '../../../../main/desktop/login/login-item.ts';

/** A system that remembers what it was told, or, `deaf`, does not. */
function system({ isPackaged = true, deaf = false, switchedOff = false } = {}) {
  const told: Settings[] = [];
  const app = {
    isPackaged,
    getLoginItemSettings: ({ args }: { args?: string[] }) => {
      const last = deaf ? undefined : told.at(-1);
      const same = JSON.stringify(last?.args) === JSON.stringify(args);
      const openAtLogin = last?.openAtLogin === true && same;
      return { openAtLogin, executableWillLaunchAtLogin: openAtLogin && !switchedOff };
    },
    setLoginItemSettings: (settings: Settings) => {
      told.push(settings);
    },
  } as unknown as App;
  return { app, told };
}

describe('the login item', () => {
  it('is there for installed programs alone', () => {
    const item = createLoginItem(system({ isPackaged: false }).app, 'win32');
    expect(item.available).toBe(false);
    expect(() => item.set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
  });

  it('of Windows starts without a window', () => {
    const { app, told } = system();
    const item = createLoginItem(app, 'win32');
    item.set(true);
    expect(item.isOn()).toBe(true);
    item.set(false);
    expect(item.isOn()).toBe(false);
    expect(told).toEqual([
      { openAtLogin: true, args: ['--background'], enabled: true },
      { openAtLogin: false, args: ['--background'], enabled: false },
    ]);
  });

  it('of Windows is off when the person has switched it off in the system’s list', () => {
    const { app, told } = system({ switchedOff: true });
    told.push({ openAtLogin: true, args: ['--background'] });
    expect(createLoginItem(app, 'win32').isOn()).toBe(false);
  });

  it('of macOS has no arguments', () => {
    const { app, told } = system();
    const item = createLoginItem(app, 'darwin');
    item.set(true);
    expect(item.isOn()).toBe(true);
    expect(told).toEqual([{ openAtLogin: true }]);
  });

  it('that the system does not take is said to be unavailable', () => {
    const item = createLoginItem(system({ deaf: true }).app, 'darwin');
    expect(() => item.set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
  });
});
