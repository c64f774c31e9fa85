import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseReplaceableProgram } from '../../../../main/run-program.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tilelift-program-')));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (path: string) => join(folder, path);
/** Creates the program, with these modes for it and its folders. */
async function program(modes: Readonly<Record<string, number>> = {}): Promise<string> {
  await mkdir(at('mine/bin'), { recursive: true, mode: 0o755 });
  await mkdir(at('open'), { mode: 0o755 });
  await writeFile(at('mine/bin/tell'), '#!/bin/sh\n', { mode: 0o755 });
  for (const [path, mode] of Object.entries(modes)) await chmod(at(path), mode);
  return at('mine/bin/tell');
}
const subjectOf = (file: string, ...args: readonly string[]) =>
  refuseReplaceableProgram({ file, arguments: args }, []).then(
    () => null,
    (error) => {
      expect(error.code).toBe('program-writable-by-others');
      return String(error.subject).slice(folder.length + 1);
    },
  );

describe.skipIf(process.platform === 'win32')(
  `refuseReplaceableProgram()${process.platform === 'win32' ? ' (Windows has no modes)' : ''}`,
  () => {
    it.each([
      ['the file itself', 'mine/bin/tell', 0o757],
      ['the file itself, by its group', 'mine/bin/tell', 0o775],
      ['its folder', 'mine/bin', 0o777],
      ['its folder, by its group', 'mine/bin', 0o775],
      ['its folder, where a sticky bit protects what is there', 'mine/bin', 0o1777],
      ['a folder above', 'mine', 0o777],
    ])('S119: refuses a program if others may write to %s', async (_what, path, mode) => {
      expect(await subjectOf(await program({ [path]: mode }))).toBe(path);
    });

    it('accepts a program that no other user can replace, even below a sticky folder', async () => {
      await expect(subjectOf(await program({ mine: 0o1777 }))).resolves.toBeNull();
      await expect(subjectOf('/bin/sh')).resolves.toBeNull();
    });

    it.each([
      ['a link', 'tell', 'open/tell'],
      ['a link to its folder', 'bin', 'open/bin/tell'],
    ])('S121: refuses a program if %s on its path is in a folder of others', async (_what, to, path) => {
      const file = await program({ open: 0o777 });
      const target = to === 'bin' ? dirname(file) : file;
      await symlink(target, at(`open/${to}`));
      expect(await subjectOf(at(path))).toBe('open');
      // Links at a safe place are followed too.
      await symlink(at(path), at('mine/link'));
      expect(await subjectOf(at('mine/link'))).toBe('open');
    });

    it('refuses a shell’s script that others may write to', async () => {
      const script = await program({ 'mine/bin/tell': 0o757 });
      expect(await subjectOf('/bin/sh', script, '{source}')).toBe('mine/bin/tell');
      expect(await subjectOf('/bin/sh', at('none'), script)).toBeNull();
    });

    it('refuses a program of another user', async ({ skip }) => {
      if (process.getuid?.() !== 0) skip('only root may give files to other users');
      const file = await program();
      await chown(file, 65_534, 65_534);
      expect(await subjectOf(file)).toBe('mine/bin/tell');
    });
  },
);

describe('refuseReplaceableProgram() with Windows access lists', () => {
  const me = 'S-1-5-21-1004336348-1177238915-682003330-1001';
  const admins = '(A;ID;FA;;;BA)(A;ID;FA;;;SY)';
  const system = `O:BAG:SYD:AI${admins}(A;ID;0x1200a9;;;BU)`;
  const mine = `O:${me}G:SYD:AI${admins}(A;ID;FA;;;${me})`;
  /** Like the root of a drive, where every signed-in user may create folders. */
  const drive = `O:SYG:SYD:PAI${admins}(A;OICI;0x1200a9;;;BU)(A;CI;LC;;;AU)`;
  const check = async (sddl: string, folders: readonly string[]) => {
    const file = await program();
    return refuseReplaceableProgram({ file, arguments: [] }, [], async () => ({
      user: me,
      sddl,
      folders,
    })).then(
      () => null,
      ({ code, subject }) => [code, String(subject).slice(folder.length + 1)],
    );
  };

  it.each([
    ['administrators wrote it', system, [system, drive]],
    ['the user wrote it in a folder of the user', mine, [mine, system, drive]],
  ])('accepts a program if %s', async (_what, sddl, folders) => {
    expect(await check(sddl, folders)).toBeNull();
  });

  it.each([
    ['the file', `${mine}(A;ID;0x1301bf;;;AU)`, [mine, drive], 'mine/bin/tell'],
    ['the file, since another user owns it', mine.replaceAll('1001', '1002'), [mine, drive], 'mine/bin/tell'],
    ['its folder, by making files in it', mine, [`${mine}(A;CIID;DCLCRPCR;;;BU)`, drive], 'mine/bin'],
    ['a folder above', mine, [mine, `${mine}(A;ID;0x1301bf;;;AU)`, drive], 'mine'],
  ])('S120: refuses a program if others may write to %s', async (_what, sddl, folders, place) => {
    expect(await check(sddl, folders)).toEqual(['program-writable-by-others', place]);
  });

  it('S122: refuses a program whose access lists can’t be read', async () => {
    const file = await program();
    await expect(
      refuseReplaceableProgram({ file, arguments: [] }, [], () => Promise.reject(new Error('no PowerShell'))),
    ).rejects.toMatchObject({ code: 'program-writable-by-others', subject: file });
  });
});
