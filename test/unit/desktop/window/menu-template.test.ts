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

function items(platform: NodeJS.Platform, given = actions()): MenuItemConstructorOptions[] {
  return menuTemplate(platform, given).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
}

const press = (item: MenuItemConstructorOptions | undefined) =>
  Reflect.apply(item?.click ?? vi.fn(), null, []);
const byLabel = (all: MenuItemConstructorOptions[], label: string) =>
  all.find((item) => item.label?.replace('&', '') === label);

describe.each(['darwin', 'win32', 'linux'] as const)('menuTemplate() on %s', (platform) => {
  it('offers every command by its id, with a shortcut', () => {
    const given = actions();
    const all = items(platform, given);
    for (const id of commandIds) {
      const item = all.find((one) => one.id === id);
      expect(item?.accelerator).toMatch(/\S/);
      press(item);
      expect(given.command).toHaveBeenLastCalledWith(id);
    }
  });

  it('assigns each shortcut once', () => {
    const taken = new Map<string, MenuItemConstructorOptions>();
    for (const item of items(platform)) {
      const key = String(item.accelerator ?? '').replace('CmdOrCtrl', platform === 'darwin' ? 'Cmd' : 'Ctrl');
      if (key !== '') expect(taken.has(key), key).toBe(false);
      taken.set(key, item);
    }
    const ids = items(platform).flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('quits through the confirmation, never by Electron’s role', () => {
    const given = actions();
    const all = items(platform, given);
    expect(all.some(({ role }) => role === 'quit')).toBe(false);
    const label = { darwin: 'Quit Tilelift', win32: 'Exit', linux: 'Quit' }[platform];
    press(byLabel(all, label));
    expect(given.quit).toHaveBeenCalledOnce();
  });

  it('has standard roles for editing and windows, but none for reload or developer tools', () => {
    const roles = items(platform).flatMap(({ role }) => (role === undefined ? [] : [role]));
    expect(roles).toEqual(expect.arrayContaining(['undo', 'cut', 'copy', 'paste', 'selectAll', 'close']));
    expect(roles.filter((role) => /reload|devtools/i.test(role))).toEqual([]);
  });

  it('opens the shortcuts by a key that users type', () => {
    const given = actions();
    const item = items(platform, given).find(({ id }) => id === 'shortcuts');
    expect(item?.accelerator).toBeUndefined();
    press(item);
    expect(given.command).toHaveBeenCalledWith('shortcuts');
  });

  it('opens help without an account', () => {
    const given = actions();
    const all = items(platform, given);
    press(byLabel(all, 'Licences'));
    press(byLabel(all, 'Open logs'));
    press(byLabel(all, 'Copy diagnostics'));
    expect(given.openLicences).toHaveBeenCalledOnce();
    expect(given.openLogs).toHaveBeenCalledOnce();
    expect(given.copyDiagnostics).toHaveBeenCalledOnce();
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

describe('nextZoom()', () => {
  it('nextZoom() stays between 75 and 200 %', () => {
    const up = [1];
    for (let step = 0; step < 8; step += 1) up.push(nextZoom(up.at(-1) ?? 1, 'in'));
    expect(up).toEqual([1, 1.1, 1.25, 1.5, 1.75, 2, 2, 2, 2]);
    const down = [2];
    for (let step = 0; step < 9; step += 1) down.push(nextZoom(down.at(-1) ?? 1, 'out'));
    expect(down).toEqual([2, 1.75, 1.5, 1.25, 1.1, 1, 0.9, 0.75, 0.75, 0.75]);
  });

  it('nextZoom() tolerates Chromium’s rounding errors', () => {
    expect(nextZoom(1.0999999999, 'in')).toBe(1.25);
    expect(nextZoom(1.1000000001, 'out')).toBe(1);
  });
});
