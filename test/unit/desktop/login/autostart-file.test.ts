import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { autostartFileItem } from '../../../../main/desktop/login/autostart-file.ts';
import { autostartEntry } from '../../../../main/desktop/login/xdg-autostart.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tilelift-autostart-'));
  file = join(folder, 'config', 'autostart', 'tilelift.desktop');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const program = '/opt/Tilelift/tilelift';
const args = ['--background'];
const item = () => autostartFileItem({ file, program, args });

describe('the entry in the autostart folder', () => {
  it('is made with its folder, and nothing beside it', () => {
    expect(item().isOn()).toBe(false);
    item().set(true);
    expect(item().isOn()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(autostartEntry(program, args));
    expect(readdirSync(dirname(file))).toEqual(['tilelift.desktop']);
  });

  it('takes the place of one that is switched off or names another program', () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${autostartEntry('/elsewhere/tilelift', args)}Hidden=true\n`);
    expect(item().isOn()).toBe(false);
    item().set(true);
    expect(item().isOn()).toBe(true);
  });

  it('is removed when it is switched off, and stays so', () => {
    item().set(true);
    item().set(false);
    item().set(false);
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('that can’t be written leaves nothing half done and says so', () => {
    mkdirSync(join(file, 'in-its-place'), { recursive: true });
    expect(() => item().set(true)).toThrow(expect.objectContaining({ code: 'login-item-unavailable' }));
    expect(readdirSync(dirname(file))).toEqual(['tilelift.desktop']);
    expect(item().isOn()).toBe(false);
  });
});
