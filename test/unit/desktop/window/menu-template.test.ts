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

describe.each(['darwin', 'win32', 'linux'] as const)('the menu on %s', (platform) => {
  it('has every command, by its own id, with a shortcut', () => {
    const given = actions();
    const all = items(platform, given);
    for (const id of commandIds) {
      const item = all.find((one) => one.id === id);
      expect(item?.accelerator).toMatch(/\S/);
      press(item);
      expect(given.command).toHaveBeenLastCalledWith(id);
    }
  });

  it('gives no shortcut twice, except to one thing', () => {
    const taken = new Map<string, MenuItemConstructorOptions>();
    for (const item of items(platform)) {
      const key = String(item.accelerator ?? '').replace('CmdOrCtrl', platform === 'darwin' ? 'Cmd' : 'Ctrl');
      if (key !== '') expect(taken.has(key), key).toBe(false);
      taken.set(key, item);
    }
    const ids = items(platform).flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('quits by asking first, never by the standard item, which does not', () => {
    const given = actions();
    const all = items(platform, given);
    expect(all.some(({ role }) => role === 'quit')).toBe(false);
    const label = { darwin: 'Quit Tilelift', win32: 'Exit', linux: 'Quit' }[platform];
    press(byLabel(all, label));
    expect(given.quit).toHaveBeenCalledOnce();
  });

  it('brings standard roles for editing and the window, and none that reloads or opens tools', () => {
    const roles = items(platform).flatMap(({ role }) => (role === undefined ? [] : [role]));
    expect(roles).toEqual(expect.arrayContaining(['undo', 'cut', 'copy', 'paste', 'selectAll', 'close']));
    expect(roles.filter((role) => /reload|devtools/i.test(role))).toEqual([]);
  });

  it('leads to the shortcuts, by a key that people type, too', () => {
    const given = actions();
    const item = items(platform, given).find(({ id }) => id === 'shortcuts');
    expect(item?.accelerator).toBeUndefined();
    press(item);
    expect(given.command).toHaveBeenCalledWith('shortcuts');
  });

  it('helps without an account', () => {
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

it('macOS has its own menu of the program, with Settings where a person looks for them', () => {
  const [program] = menuTemplate('darwin', actions());
  expect(program?.label).toBe('Tilelift');
  expect(items('darwin').find(({ id }) => id === secondSettingsId)).toMatchObject({
    label: 'Settings…',
    accelerator: 'Cmd+,',
  });
});

describe('zoom', () => {
  it('goes up to 200 % and down to 75 %, and stays there', () => {
    const up = [1];
    for (let step = 0; step < 8; step += 1) up.push(nextZoom(up.at(-1) ?? 1, 'in'));
    expect(up).toEqual([1, 1.1, 1.25, 1.5, 1.75, 2, 2, 2, 2]);
    const down = [2];
    for (let step = 0; step < 9; step += 1) down.push(nextZoom(down.at(-1) ?? 1, 'out'));
    expect(down).toEqual([2, 1.75, 1.5, 1.25, 1.1, 1, 0.9, 0.75, 0.75, 0.75]);
  });

  it('is not held back by the small error of Chromium’s measure', () => {
    expect(nextZoom(1.0999999999, 'in')).toBe(1.25);
    expect(nextZoom(1.1000000001, 'out')).toBe(1);
  });
});
