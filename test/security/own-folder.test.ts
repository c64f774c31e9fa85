import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../main/outside.ts';
import { type Claims, createClaims } from '../../main/watch/claims/claims.ts';

/**
 * Others write into Tilelift's own folder too: no link in it is followed, and a claim is believed only as far
 * as its size and shape go.
 */

const staleMs = 600_000;
let root: string;
let folder: string;
let home: string;
const onForeign = vi.fn();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tilelift-own-'));
  [folder, home] = [join(root, 'in'), join(root, 'home')];
  await mkdir(folder);
  await mkdir(home);
  await writeFile(join(home, 'authorized_keys'), 'mine');
  onForeign.mockClear();
});
afterEach(() => rm(root, { recursive: true, force: true }));

let elapsedMs = 0;
const instance = 'office';
const ended = { state: 'done', outcome: 'complete', asset: null, content: null } as const;
const claimsOf = (name = instance): Claims =>
  createClaims({
    folder,
    owner: { instance: name, host: name, pid: 1 },
    clock: systemClock,
    elapsed: () => elapsedMs,
    staleMs,
    onForeign,
  });
/** It looks again and again, for as long as it takes to see that nobody is at it. */
async function watching(claims: Claims): Promise<string> {
  for (let looks = 0; looks < 5; looks++) {
    await claims.claim('scan', 'x');
    elapsedMs += staleMs / 4;
  }
  return claims.claim('scan', 'x');
}
const own = (...names: readonly string[]) => join(folder, '.tilelift', ...names);
const fileOf = (path: string) => own('claims', `${createHash('sha256').update(path).digest('hex')}.json`);

/** What another computer's Tilelift would write, changed. */
const claim = (change: object = {}) =>
  JSON.stringify({
    id: 'one',
    owner: { instance: 'other', host: 'other', pid: 1 },
    source: 'scan',
    identity: 'x',
    since: 0,
    state: 'held',
    outcome: null,
    ...change,
  });

async function put(text: string): Promise<void> {
  await mkdir(own('claims'), { recursive: true });
  await writeFile(fileOf('scan'), text);
}

describe('a link under a name of Tilelift’s own', () => {
  it('for a claim is neither read nor written', async () => {
    await mkdir(own('claims'), { recursive: true });
    const elsewhere = claim({ owner: { instance, host: instance, pid: 1 } });
    await writeFile(join(home, 'claim'), elsewhere);
    await symlink(join(home, 'claim'), fileOf('scan'));
    const claims = claimsOf();
    expect(await claims.claim('scan', 'x')).toBe('theirs');
    await claims.finish('scan', 'x', ended);
    expect(await readFile(join(home, 'claim'), 'utf8')).toBe(elsewhere);
  });

  it('for a claim is not written by its second name', async () => {
    await claimsOf().claim('scan', 'x');
    await link(fileOf('scan'), join(home, 'second'));
    const before = await readFile(join(home, 'second'), 'utf8');
    await claimsOf().finish('scan', 'x', ended);
    expect(await readFile(join(home, 'second'), 'utf8')).toBe(before);
  });
});

describe.each([
  ['.tilelift', '.tilelift'],
  ['.tilelift/claims', '.tilelift/claims'],
])('a link in the place of %s', (_, name) => {
  beforeEach(async () => {
    if (name !== '.tilelift') await mkdir(own());
    await symlink(home, join(folder, name));
  });

  it('is told once, and switches claims off instead of being followed', async () => {
    const claims = claimsOf();
    expect(await claims.claim('scan', 'x')).toBe('ours');
    await claims.finish('scan', 'x', ended);
    expect(await claims.renew()).toEqual([]);
    expect(await readdir(home)).toEqual(['authorized_keys']);
    expect(onForeign).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'watch-own-folder-foreign' }),
    );
  });

  it('is told again when it comes again, claims working in between', async () => {
    const claims = claimsOf();
    await claims.claim('scan', 'x');
    await rename(join(folder, name), join(root, 'link'));
    expect(await claims.claim('other', 'x')).toBe('ours');
    expect(await readdir(own('claims'))).toHaveLength(1);
    await rm(join(folder, name), { recursive: true });
    await rename(join(root, 'link'), join(folder, name));
    await claims.claim('scan', 'x');
    expect(onForeign).toHaveBeenCalledTimes(2);
  });
});

describe('a claim', () => {
  it.each([
    ['is no JSON', 'x'.repeat(100)],
    ['is of another source', claim({ source: 'other', state: 'done' })],
    ['has a name longer than any', claim({ owner: { instance: 'o'.repeat(201), host: '', pid: 1 } })],
    ['has a number for its owner', claim({ owner: 1 })],
    ['is larger than a claim can be', claim({ state: 'done', outcome: 'x'.repeat(70_000) })],
  ])('that %s is nobody’s word, and goes when it is old', async (_, text) => {
    await put(text);
    const claims = claimsOf();
    expect(await claims.claim('scan', 'x')).toBe('theirs');
    expect(await watching(claims)).toBe('ours');
  });

  it('from the future does not hold for ever', async () => {
    await put(claim());
    const future = new Date('2099-01-01');
    await utimes(fileOf('scan'), future, future);
    expect(await watching(claimsOf())).toBe('ours');
  });

  it('of a terabyte is not read', async () => {
    await put('');
    await truncate(fileOf('scan'), 2 ** 40);
    expect(await claimsOf().claim('scan', 'x')).toBe('theirs');
  });

  it('that is a pipe holds up nothing', async () => {
    await mkdir(own('claims'), { recursive: true });
    execFileSync('mkfifo', [fileOf('scan')]);
    const claims = claimsOf();
    expect(await claims.claim('scan', 'x')).toBe('theirs');
    await claims.finish('scan', 'x', ended);
    await claims.release('scan');
  });

  it('that is a folder is put aside when it is old, with what is in it', async () => {
    await mkdir(fileOf('scan'), { recursive: true });
    await writeFile(join(fileOf('scan'), 'inside'), '');
    expect(await watching(claimsOf())).toBe('ours');
    const aside = (await readdir(own('claims'))).find((name) => name.endsWith('.old')) ?? '';
    expect(await readdir(own('claims', aside))).toEqual(['inside']);
  });

  it('can’t be kept in a folder that others have closed: said, as before', async ({ skip }) => {
    if (process.geteuid?.() === 0) skip('root opens every folder');
    await mkdir(own('claims'), { recursive: true });
    await chmod(own(), 0);
    await expect(claimsOf().claim('scan', 'x')).rejects.toMatchObject({ code: 'watch-claims-unwritable' });
    await chmod(own(), 0o700);
  });
});
