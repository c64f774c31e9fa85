import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const script = readFileSync(new URL('../../../build/installer.nsh', import.meta.url), 'utf8');
const [installing = '', removing = ''] = script.split('!macro customUnInstall');
const keysIn = (text: string, command: string) =>
  [...text.matchAll(new RegExp(`${command} (\\S+) "([^"]+)"`, 'g'))].map(
    ([, root, key]) => `${root}\\${key}`,
  );

describe('the Windows uninstaller', () => {
  it('the Windows uninstaller removes every registry key of the installer', () => {
    const removed = keysIn(removing, 'DeleteRegKey');
    const written = keysIn(installing, 'WriteRegStr');
    expect(written).not.toEqual([]);
    expect(written.filter((key) => !removed.some((gone) => `${key}\\`.startsWith(`${gone}\\`)))).toEqual([]);
  });

  it('the Windows uninstaller removes the program’s user settings: scheme and start at login', () => {
    expect(keysIn(removing, 'DeleteRegKey')).toContain('HKCU\\Software\\Classes\\tilelift');
    const windows = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion';
    expect(keysIn(removing, 'DeleteRegValue')).toEqual([
      `${windows}\\Run`,
      `${windows}\\Explorer\\StartupApproved\\Run`,
    ]);
  });

  it('the Windows uninstaller keeps both for the version that replaces this one', () => {
    expect(removing).toMatch(/\$\{ifNot\} \$\{isUpdated\}[\s\S]+DeleteReg[\s\S]+\$\{endIf\}/);
  });
});
