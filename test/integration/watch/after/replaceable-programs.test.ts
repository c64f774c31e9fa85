import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseReplaceableProgram } from '../../../../main/watch/after/run-program.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tilelift-program-')));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (path: string) => join(folder, path);
/** The program, with the modes of the folders on the way to it. */
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
  `a program that another user could replace${process.platform === 'win32' ? ' (Windows has no modes)' : ''}`,
  () => {
    it.each([
      ['the file itself', 'mine/bin/tell', 0o757],
      ['the file itself, by its group', 'mine/bin/tell', 0o775],
      ['its folder', 'mine/bin', 0o777],
      ['its folder, by its group', 'mine/bin', 0o775],
      ['its folder, where a sticky bit protects what is there', 'mine/bin', 0o1777],
      ['a folder above', 'mine', 0o777],
    ])('is refused where others may write to %s', async (_what, path, mode) => {
      expect(await subjectOf(await program({ [path]: mode }))).toBe(path);
    });

    it('is taken where nobody else may, also below a sticky folder as the temporary one', async () => {
      await expect(subjectOf(await program({ mine: 0o1777 }))).resolves.toBeNull();
      await expect(subjectOf('/bin/sh')).resolves.toBeNull();
    });

    it.each([
      ['a link', 'tell', 'open/tell'],
      ['a link to its folder', 'bin', 'open/bin/tell'],
    ])('is refused where %s on the way to it is in a folder of others', async (_what, to, path) => {
      const file = await program({ open: 0o777 });
      const target = to === 'bin' ? dirname(file) : file;
      await symlink(target, at(`open/${to}`));
      expect(await subjectOf(at(path))).toBe('open');
      // The same by way of a link at a good place.
      await symlink(at(path), at('mine/link'));
      expect(await subjectOf(at('mine/link'))).toBe('open');
    });

    it('is refused where others may write to the script that a shell gets', async () => {
      const script = await program({ 'mine/bin/tell': 0o757 });
      expect(await subjectOf('/bin/sh', script, '{source}')).toBe('mine/bin/tell');
      expect(await subjectOf('/bin/sh', at('none'), script)).toBeNull();
    });

    it('is refused where it is another user’s', async ({ skip }) => {
      if (process.getuid?.() !== 0) skip('only root may give files to other users');
      const file = await program();
      await chown(file, 65_534, 65_534);
      expect(await subjectOf(file)).toBe('mine/bin/tell');
    });
  },
);
