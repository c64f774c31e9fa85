import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Lease } from '../../main/watch/lease/lease.ts';
import { readMark, writeMark } from '../../main/watch/lease/marks.ts';
import type { Mark } from '../../main/watch/model/lease-model.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/**
 * Others can write to Tilelift's own folder: it follows no link in it and trusts only valid leases and marks.
 */

const staleMs = 600_000;
let root: string;
let folder: string;
let home: string;
const onForeign = vi.fn();

beforeEach(async () => {
  root = temporaryFolder();
  [folder, home] = [join(root, 'in'), join(root, 'home')];
  await mkdir(folder);
  await mkdir(home);
  await writeFile(join(home, 'authorized_keys'), 'mine');
  onForeign.mockClear();
});

let elapsedMs = 0;
const instance = 'office';
const ownerOf = (name: string) => ({ instance: name, machine: name, host: name, pid: 1 });
const leaseOf = (name = instance) =>
  new Lease({
    rule: { folder, name: 'rule', unit: { kind: 'entries' } },
    owner: ownerOf(name),
    session: name,
    clock: { now: () => Date.now(), elapsed: () => elapsedMs },
    ...{ staleMs, formerMs: staleMs },
    onForeign,
  });
/** Retries until the lease is known to be stale. */
async function standBy(lease: Lease): Promise<string> {
  for (let checks = 0; checks < 5; checks++) {
    await lease.acquire();
    elapsedMs += staleMs / 4;
  }
  return (await lease.acquire()).kind;
}
const ownPath = (...names: readonly string[]) => join(folder, '.tilelift', ...names);
const leaseFile = () => ownPath('leases', 'folder.json');
const markFile = () => ownPath('sources', `${createHash('sha256').update('scan').digest('hex')}.json`);

/** A lease of another computer, with changes. */
const lease = (change: object = {}) =>
  JSON.stringify({
    ...{ version: 1, owner: ownerOf('other'), session: 'other', rule: 'rule', patterns: null },
    ...{ renewedAt: '', beat: 1, resting: false, ...change },
  });
const mark: Mark = {
  ...{ version: 1, owner: ownerOf('other'), source: 'scan', identity: 'x', state: 'done', outcome: null },
  ...{ asset: null, content: 'word', files: null },
};

async function writeText(file: string, text: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
}

it('S5: a link under one of Tilelift’s own names is neither read nor written as a lease', async () => {
  await mkdir(ownPath('leases'), { recursive: true });
  const otherLease = lease({ owner: ownerOf(instance), session: instance });
  await writeFile(join(home, 'lease'), otherLease);
  await symlink(join(home, 'lease'), leaseFile());
  const ownLease = leaseOf();
  expect(await ownLease.acquire()).toEqual({ kind: 'theirs', host: null });
  await ownLease.release('rest');
  expect(await readFile(join(home, 'lease'), 'utf8')).toBe(otherLease);
});

it('a link under one of Tilelift’s own names is not written through its second name', async () => {
  const ownLease = leaseOf();
  await ownLease.acquire();
  await link(leaseFile(), join(home, 'second'));
  const previous = await readFile(join(home, 'second'), 'utf8');
  expect(await ownLease.renew()).toBe(false);
  expect(await readFile(join(home, 'second'), 'utf8')).toBe(previous);
});

it('a link under one of Tilelift’s own names is not read as a mark, but replaced', async () => {
  await mkdir(ownPath('sources'), { recursive: true });
  await writeFile(join(home, 'mark'), JSON.stringify(mark));
  await symlink(join(home, 'mark'), markFile());
  expect(await readMark(folder, 'scan')).toBeUndefined();
  await writeMark(folder, { ...mark, state: 'failed' });
  expect(await readFile(join(home, 'mark'), 'utf8')).toBe(JSON.stringify(mark));
  expect(await readMark(folder, 'scan')).toMatchObject({ state: 'failed' });
});

describe.each([
  ['.tilelift', '.tilelift'],
  ['.tilelift/leases', '.tilelift/leases'],
])('a link in place of %s', (_, name) => {
  beforeEach(async () => {
    if (name !== '.tilelift') await mkdir(ownPath());
    await symlink(home, join(folder, name));
  });

  it('S6: a link in place of an own folder is reported once and not followed; this computer watches alone', async () => {
    const ownLease = leaseOf();
    expect(await ownLease.acquire()).toEqual({ kind: 'ours' });
    expect(await ownLease.renew()).toBe(true);
    await ownLease.release('at-once');
    expect(await readdir(home)).toEqual(['authorized_keys']);
    expect(onForeign).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'watch-own-folder-foreign' }),
    );
  });

  it('a link in place of an own folder is reported again when it reappears; the lease works in between', async () => {
    const ownLease = leaseOf();
    await ownLease.acquire();
    await rename(join(folder, name), join(root, 'link'));
    expect(await ownLease.acquire()).toEqual({ kind: 'ours' });
    expect(await readdir(ownPath('leases'))).toHaveLength(1);
    await rm(join(folder, name), { recursive: true });
    await rename(join(root, 'link'), join(folder, name));
    await ownLease.renew();
    expect(onForeign).toHaveBeenCalledTimes(2);
  });
});

it.each([
  ['is no JSON', 'x'.repeat(100)],
  ['has a name longer than any', lease({ owner: ownerOf('o'.repeat(201)) })],
  ['has a number for its owner', lease({ owner: 1 })],
  ['is larger than a lease can be', lease({ rule: 'x'.repeat(70_000) })],
  ['is of a later version', lease({ version: 2 })],
])('a lease that %s has no owner, and expires when stale', async (_, text) => {
  await writeText(leaseFile(), text);
  const ownLease = leaseOf();
  expect(await ownLease.acquire()).toEqual({ kind: 'theirs', host: null });
  expect(await standBy(ownLease)).toBe('ours');
});

it('S67: a lease from the future expires', async () => {
  await writeText(leaseFile(), lease());
  const future = new Date('2099-01-01');
  await utimes(leaseFile(), future, future);
  expect(await standBy(leaseOf())).toBe('ours');
});

it('S65: a lease of a terabyte is not read', async () => {
  await writeText(leaseFile(), '');
  await truncate(leaseFile(), 2 ** 40);
  expect(await leaseOf().acquire()).toEqual({ kind: 'theirs', host: null });
});

it('S68: a lease that is a pipe blocks nothing', async () => {
  await mkdir(ownPath('leases'), { recursive: true });
  execFileSync('mkfifo', [leaseFile()]);
  const ownLease = leaseOf();
  expect(await ownLease.acquire()).toEqual({ kind: 'theirs', host: null });
  expect(await standBy(ownLease)).toBe('ours');
});

it('a lease that is a folder is set aside with its content when stale', async () => {
  await mkdir(leaseFile(), { recursive: true });
  await writeFile(join(leaseFile(), 'inside'), '');
  expect(await standBy(leaseOf())).toBe('ours');
  const asideName = (await readdir(ownPath('leases'))).find((name) => name.endsWith('.old')) ?? '';
  expect(await readdir(ownPath('leases', asideName))).toEqual(['inside']);
});

it('a lease in a closed folder is reported', async ({ skip }) => {
  if (process.geteuid?.() === 0) skip('root opens every folder');
  await mkdir(ownPath('leases'), { recursive: true });
  await chmod(ownPath(), 0);
  await expect(leaseOf().acquire()).rejects.toMatchObject({ code: 'watch-lease-unwritable' });
  await chmod(ownPath(), 0o700);
});

it.each([
  ['is no JSON', 'x'.repeat(100)],
  ['is of another source', JSON.stringify({ ...mark, source: 'other' })],
  ['names no asset but a text', JSON.stringify({ ...mark, asset: 'rm' })],
  ['is larger than a mark can be', JSON.stringify({ ...mark, outcome: 'x'.repeat(70_000) })],
])('a mark that %s is ignored', async (_, text) => {
  await writeText(markFile(), text);
  expect(await readMark(folder, 'scan')).toBeUndefined();
});

it('S66: a mark of a terabyte is not read', async () => {
  await writeText(markFile(), '');
  await truncate(markFile(), 2 ** 40);
  expect(await readMark(folder, 'scan')).toBeUndefined();
});
