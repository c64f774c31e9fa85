import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { writeFileAtomicSync } from '../../main/atomic-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Number and kind of refused renames. */
const heldFile = vi.hoisted(() => ({ times: 0, code: '', asked: 0 }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    renameSync: (source: string, target: string) => {
      heldFile.asked += 1;
      if (heldFile.asked <= heldFile.times)
        throw Object.assign(new Error(heldFile.code), { code: heldFile.code });
      fs.renameSync(source, target);
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function write(times: number, code: string): void {
  Object.assign(heldFile, { times, code, asked: 0 });
  writeFileAtomicSync(join(folder, 'a.json'), 'new', join(folder, 'a.json.new'));
}

it.each(['EPERM', 'EACCES', 'EBUSY'])(
  'a file that another program holds open is replaced after retries (%s)',
  (code) => {
    write(3, code);
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('new');
  },
);

it('a file that another program holds open fails after a while, or immediately for a lasting error', () => {
  expect(() => write(1_000, 'EBUSY')).toThrow('EBUSY');
  expect(heldFile.asked).toBe(10);
  expect(() => write(1, 'ENOSPC')).toThrow('ENOSPC');
  expect(heldFile.asked).toBe(1);
});
