import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeFileAtomicSync } from '../../main/atomic-file.ts';

/** How many renamings are refused, and how. */
const held = vi.hoisted(() => ({ times: 0, code: '', asked: 0 }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    renameSync: (from: string, to: string) => {
      held.asked += 1;
      if (held.asked <= held.times) throw Object.assign(new Error(held.code), { code: held.code });
      fs.renameSync(from, to);
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tilelift-held-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(times: number, code: string): void {
  Object.assign(held, { times, code, asked: 0 });
  writeFileAtomicSync(join(folder, 'a.json'), 'new', join(folder, 'a.json.new'));
}

describe('a file that another program has open as it is to be replaced', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again while that passes (%s)', (code) => {
    write(3, code);
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('new');
  });

  it('is given up where it does not pass, and at once where it can’t', () => {
    expect(() => write(1_000, 'EBUSY')).toThrow('EBUSY');
    expect(held.asked).toBe(10);
    expect(() => write(1, 'ENOSPC')).toThrow('ENOSPC');
    expect(held.asked).toBe(1);
  });
});
