import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceProgram } from '../../../../main/desktop/updates/replace-program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tilelift-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('replacing a program', () => {
  it('puts the new one under the old one’s name, to be run, and keeps no second copy', () => {
    const [place, by] = [join(folder, 'Tilelift-0.1.0.AppImage'), join(folder, 'fetched')];
    writeFileSync(place, 'old');
    writeFileSync(by, 'new');
    chmodSync(by, 0o600);
    replaceProgram(place, by);
    expect(readFileSync(place, 'utf8')).toBe('new');
    expect(statSync(place).mode & 0o777).toBe(0o755);
    expect(readdirSync(folder)).toEqual(['Tilelift-0.1.0.AppImage']);
  });

  it('leaves the old one as it is when the new one can’t be had', () => {
    const place = join(folder, 'Tilelift.AppImage');
    writeFileSync(place, 'old');
    expect(() => replaceProgram(place, join(folder, 'gone'))).toThrow('ENOENT');
    expect(readFileSync(place, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['Tilelift.AppImage']);
  });

  it('leaves what it fetched when it can’t be put there', () => {
    const [place, by] = [join(folder, 'Tilelift.AppImage'), join(folder, 'fetched')];
    mkdirSync(place);
    writeFileSync(by, 'new');
    expect(() => replaceProgram(place, by)).toThrow();
    expect(existsSync(by)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['Tilelift.AppImage', 'fetched']);
  });
});
