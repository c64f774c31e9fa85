import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import {
  commandIds,
  type MenuActions,
  menuTemplate,
  nextZoom,
  secondSettingsId,
} from '../../../../main/desktop/window/menu-template.ts';

const actions = (): MenuActions => ({
  command: vi.fn(),
  zoom: vi.fn(),
  openLicences: vi.fn(),
  openLogs: vi.fn(),
  copyDiagnostics: vi.fn(),
  quit: vi.fn(),
});

function items(platform: NodeJS.Platform, menu = actions()): MenuItemConstructorOptions[] {
  return menuTemplate(platform, menu).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
}

const press = (item: MenuItemConstructorOptions | undefined) =>
  Reflect.apply(item?.click ?? vi.fn(), null, []);
const byLabel = (menuItems: MenuItemConstructorOptions[], label: string) =>
  menuItems.find((item) => item.label?.replace('&', '') === label);

describe.each(['darwin', 'win32', 'linux'] as const)('menuTemplate() on %s', (platform) => {
  it('offers every command by its id, with a shortcut', () => {
    const menu = actions();
    const menuItems = items(platform, menu);
    for (const id of commandIds) {
      const item = menuItems.find((menuItem) => menuItem.id === id);
      expect(item?.accelerator).toMatch(/\S/);
      press(item);
      expect(menu.command).toHaveBeenLastCalledWith(id);
    }
  });

  it('assigns each shortcut once', () => {
    const itemsByKey = new Map<string, MenuItemConstructorOptions>();
    for (const item of items(platform)) {
      const key = String(item.accelerator ?? '').replace('CmdOrCtrl', platform === 'darwin' ? 'Cmd' : 'Ctrl');
      if (key !== '') expect(itemsByKey.has(key), key).toBe(false);
      itemsByKey.set(key, item);
    }
    const ids = items(platform).flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('quits through the confirmation, never by Electron’s role', () => {
    const menu = actions();
    const menuItems = items(platform, menu);
    expect(menuItems.some(({ role }) => role === 'quit')).toBe(false);
    const label = { darwin: 'Quit Tilelift', win32: 'Exit', linux: 'Quit' }[platform];
    press(byLabel(menuItems, label));
    expect(menu.quit).toHaveBeenCalledOnce();
  });

  it('has standard roles for editing and windows, but none for reload or developer tools', () => {
    const roles = items(platform).flatMap(({ role }) => (role === undefined ? [] : [role]));
    expect(roles).toEqual(expect.arrayContaining(['undo', 'cut', 'copy', 'paste', 'selectAll', 'close']));
    expect(roles.filter((role) => /reload|devtools/i.test(role))).toEqual([]);
  });

  it('opens the shortcuts by a key that users type', () => {
    const menu = actions();
    const item = items(platform, menu).find(({ id }) => id === 'shortcuts');
    expect(item?.accelerator).toBeUndefined();
    press(item);
    expect(menu.command).toHaveBeenCalledWith('shortcuts');
  });

  it('opens help without an account', () => {
    const menu = actions();
    const menuItems = items(platform, menu);
    press(byLabel(menuItems, 'Licences'));
    press(byLabel(menuItems, 'Open logs'));
    press(byLabel(menuItems, 'Copy diagnostics'));
    expect(menu.openLicences).toHaveBeenCalledOnce();
    expect(menu.openLogs).toHaveBeenCalledOnce();
    expect(menu.copyDiagnostics).toHaveBeenCalledOnce();
  });
});

it('menuTemplate() has an application menu with Settings on macOS', () => {
  const [program] = menuTemplate('darwin', actions());
  expect(program?.label).toBe('Tilelift');
  expect(items('darwin').find(({ id }) => id === secondSettingsId)).toMatchObject({
    label: 'Settings…',
    accelerator: 'Cmd+,',
  });
});

it('nextZoom() stays between 75 and 200 %', () => {
  const up = [1];
  for (let step = 0; step < 8; step += 1) up.push(nextZoom(up.at(-1) ?? 1, 'in'));
  expect(up).toEqual([1, 1.1, 1.25, 1.5, 1.75, 2, 2, 2, 2]);
  const downLevels = [2];
  for (let step = 0; step < 9; step += 1) downLevels.push(nextZoom(downLevels.at(-1) ?? 1, 'out'));
  expect(downLevels).toEqual([2, 1.75, 1.5, 1.25, 1.1, 1, 0.9, 0.75, 0.75, 0.75]);
});

it('nextZoom() tolerates Chromium’s rounding errors', () => {
  expect(nextZoom(1.0999999999, 'in')).toBe(1.25);
  expect(nextZoom(1.1000000001, 'out')).toBe(1);
});
