import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileAccess } from '../../../main/files/open-for-writing.ts';

/** Path of a simulated /proc folder. */
let proc: string;
beforeEach(async () => {
  proc = await mkdtemp(join(tmpdir(), 'tilelift-proc-'));
});
afterEach(() => rm(proc, { recursive: true, force: true }));

/** Octal flags of `open(2)`. */
const [reading, writing] = ['0100000', '0100001'];

async function opens(pid: number, descriptor: number, path: string, flags: string): Promise<void> {
  for (const name of ['fd', 'fdinfo']) await mkdir(join(proc, String(pid), name), { recursive: true });
  await symlink(path, join(proc, String(pid), 'fd', String(descriptor)));
  await writeFile(join(proc, String(pid), 'fdinfo', String(descriptor)), `pos:\t0\nflags:\t${flags}\n`);
}

/** Creates a FileAccess whose scans wait at their start until the test continues them. */
function heldLooks() {
  const goOn: (() => void)[] = [];
  let begun = 0;
  const open = new FileAccess(proc, async (path) => {
    if (path === proc) {
      begun += 1;
      await new Promise<void>((resolve) => goOn.push(resolve));
    }
    return readdir(path).catch(() => []);
  });
  return { open, begun: () => begun, letGoOn: () => goOn.shift()?.() };
}

it('FileAccess finds a file that a process writes to, and none that is only read', async () => {
  await opens(7, 3, '/data/read.tif', reading);
  await opens(8, 4, '/data/written.tif', writing);
  await opens(8, 5, '/data/both.tif', reading);
  await opens(9, 5, '/data/both.tif', writing);
  await mkdir(join(proc, 'self/fd'), { recursive: true });
  await symlink('/data/elsewhere.tif', join(proc, 'self/fd/3'));
  const open = new FileAccess(proc);
  for (const [name, found] of [
    ['read', false],
    ['written', true],
    ['both', true],
    ['elsewhere', false],
  ] as const) {
    const path = `/data/${name}.tif`;
    expect(await open.findAmong(new Set(['/data/none.tif', path]))).toBe(found ? path : null);
  }
});

it('FileAccess answers all requests during a scan with one further scan', async () => {
  await opens(8, 4, '/data/a.tif', writing);
  const { open, begun, letGoOn } = heldLooks();
  const first = open.findAmong(new Set(['/data/b.tif']));
  await expect.poll(begun).toBe(1);
  const later = Array.from({ length: 50 }, (_, index) =>
    open.findAmong(new Set([index % 2 ? '/data/a.tif' : `/data/${index}.tif`])),
  );
  expect(begun()).toBe(1);
  letGoOn();
  expect(await first).toBeNull();
  await expect.poll(begun).toBe(2);
  letGoOn();
  const found = await Promise.all(later);
  expect(found).toEqual(later.map((_, index) => (index % 2 ? '/data/a.tif' : null)));
  expect(begun()).toBe(2);
});

it('FileAccess never answers a request from a scan that began before it', async () => {
  const { open, begun, letGoOn } = heldLooks();
  const path = '/data/a.tif';
  const before = open.findAmong(new Set([path]));
  await expect.poll(begun).toBe(1);
  const after = open.findAmong(new Set([path]));
  letGoOn();
  expect(await before).toBeNull();
  await expect.poll(begun).toBe(2);
  await opens(8, 4, path, writing);
  letGoOn();
  expect(await after).toBe(path);
});
