import type { App, Settings } from 'electron';
import { expect, it } from 'vitest';
import { createLoginItem } from '../../../../main/desktop/login/login-item.ts';

/** A system that stores its settings, or ignores them when `deaf`. */
function system({ isPackaged = true, deaf = false, switchedOff = false } = {}) {
  const settingsSet: Settings[] = [];
  const app = {
    isPackaged,
    getLoginItemSettings: ({ args }: { args?: string[] }) => {
      const lastSettings = deaf ? undefined : settingsSet.at(-1);
      const isSame = JSON.stringify(lastSettings?.args) === JSON.stringify(args);
      const openAtLogin = lastSettings?.openAtLogin === true && isSame;
      return { openAtLogin, executableWillLaunchAtLogin: openAtLogin && !switchedOff };
    },
    setLoginItemSettings: (settings: Settings) => {
      settingsSet.push(settings);
    },
  } as unknown as App;
  return { app, told: settingsSet };
}

it('createLoginItem() is available for installed programs only', () => {
  const item = createLoginItem(system({ isPackaged: false }).app, 'win32');
  expect(item.available).toBe(false);
  expect(() => item.set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
});

it('createLoginItem() starts in the background on Windows', () => {
  const { app, told: settingsSet } = system();
  const item = createLoginItem(app, 'win32');
  item.set(true);
  expect(item.isOn()).toBe(true);
  item.set(false);
  expect(item.isOn()).toBe(false);
  expect(settingsSet).toEqual([
    { openAtLogin: true, args: ['--background'], enabled: true },
    { openAtLogin: false, args: ['--background'], enabled: false },
  ]);
});

it('createLoginItem() is off on Windows when the user disabled it in the system’s list', () => {
  const { app, told: settingsSet } = system({ switchedOff: true });
  settingsSet.push({ openAtLogin: true, args: ['--background'] });
  expect(createLoginItem(app, 'win32').isOn()).toBe(false);
});

it('createLoginItem() sets no arguments on macOS', () => {
  const { app, told: settingsSet } = system();
  const item = createLoginItem(app, 'darwin');
  item.set(true);
  expect(item.isOn()).toBe(true);
  expect(settingsSet).toEqual([{ openAtLogin: true }]);
});

it('createLoginItem() throws when the system ignores the setting', () => {
  const item = createLoginItem(system({ deaf: true }).app, 'darwin');
  expect(() => item.set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
});
