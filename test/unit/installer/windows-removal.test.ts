import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const script = readFileSync(new URL('../../../build/installer.nsh', import.meta.url), 'utf8');
const [installing = '', removing = ''] = script.split('!macro customUnInstall');
const keysIn = (text: string, command: string) =>
  [...text.matchAll(new RegExp(`${command} (\\S+) "([^"]+)"`, 'g'))].map(
    ([, root, key]) => `${root}\\${key}`,
  );

it('the Windows uninstaller removes every registry key of the installer', () => {
  const removedKeys = keysIn(removing, 'DeleteRegKey');
  const writtenKeys = keysIn(installing, 'WriteRegStr');
  expect(writtenKeys).not.toEqual([]);
  expect(
    writtenKeys.filter((key) => !removedKeys.some((removedKey) => `${key}\\`.startsWith(`${removedKey}\\`))),
  ).toEqual([]);
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
