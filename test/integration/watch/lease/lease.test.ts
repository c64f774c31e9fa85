import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Lease, type LeaseOptions } from '../../../../main/watch/lease/lease.ts';

/** Each runs once, right before a computer removes a stale lease. */
const beforeRemovals = vi.hoisted((): (() => Promise<void>)[] => []);
vi.mock('../../../../main/files/held-files.ts', async (importOriginal) => {
  const ownFiles = await importOriginal<typeof import('../../../../main/files/held-files.ts')>();
  const takeHeldAway: typeof ownFiles.takeHeldAway = async (...parameters) => {
    await beforeRemovals.shift()?.();
    return ownFiles.takeHeldAway(...parameters);
  };
  return { ...ownFiles, takeHeldAway };
});

const staleMs = 600_000;
const formerMs = 60_000;
let folder: string;
/** Monotonic time of every computer, ms. */
let elapsedMs = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-lease-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

let sessions = 0;
function computer(name: string, rule: Partial<LeaseOptions['rule']> = {}): Lease {
  sessions += 1;
  return new Lease({
    rule: { folder, name: 'rule', unit: { kind: 'entries' }, ...rule },
    owner: { instance: name, machine: name, host: name, pid: 1 },
    session: `${name} ${sessions}`,
    clock: { now: () => Date.now(), elapsed: () => elapsedMs },
    ...{ staleMs, formerMs },
    onForeign: () => {},
  });
}
const files = (...patterns: readonly string[]) => ({ unit: { kind: 'files', patterns } }) as const;
const leaseFiles = () => readdir(join(folder, '.tilelift/leases'));
const ours = { kind: 'ours' };

/** Tries to acquire the lease every `stepMs`, for at most `ms`. */
async function standBy(lease: Lease, ms: number, stepMs = 5_000, meanwhile = async () => {}) {
  let standing = await lease.acquire();
  for (let waited = 0; waited < ms && standing.kind !== 'ours'; waited += stepMs) {
    elapsedMs += stepMs;
    await meanwhile();
    standing = await lease.acquire();
  }
  return standing;
}

it('grants the lease to the first computer and names it to the others', async () => {
  const [one, other] = [computer('one'), computer('other')];
  expect(await one.acquire()).toEqual(ours);
  expect(await other.acquire()).toEqual({ kind: 'theirs', host: 'one' });
  expect(await one.acquire()).toEqual(ours);
  expect(await one.renew()).toBe(true);
  expect(await other.renew()).toBe(false);
});

it('passes a released lease to another computer immediately', async () => {
  const [one, other] = [computer('one'), computer('other')];
  await one.acquire();
  await one.release('at-once');
  expect(await other.acquire()).toEqual(ours);
  await one.release('at-once');
  expect(await other.renew()).toBe(true);
});

it('stores the computer, the rule and the time of the last renewal in the lease', async () => {
  await computer('one', { name: 'Landings' }).acquire();
  const [name = ''] = await leaseFiles();
  expect(JSON.parse(await readFile(join(folder, '.tilelift/leases', name), 'utf8'))).toMatchObject({
    ...{ version: 1, rule: 'Landings', owner: { host: 'one' } },
    renewedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

it('recreates a deleted lease with the next renewal', async () => {
  const one = computer('one');
  await one.acquire();
  await rm(join(folder, '.tilelift'), { recursive: true });
  expect(await one.renew()).toBe(true);
  expect(await computer('other').acquire()).toMatchObject({ kind: 'theirs' });
});

it('keeps the lease while the folder is missing, without a new folder in its place', async () => {
  const one = computer('one');
  await one.acquire();
  await rm(folder, { recursive: true });
  await expect(one.renew()).rejects.toMatchObject({ code: 'watch-lease-unwritable' });
  await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  await mkdir(folder);
  expect(await one.renew()).toBe(true);
});

describe('Lease without renewal', () => {
  it('passes an unrenewed lease to a computer that watched it for ten minutes', async () => {
    const [one, other] = [computer('one'), computer('other')];
    await one.acquire();
    expect(await standBy(other, staleMs - 5_000)).toMatchObject({ kind: 'theirs' });
    elapsedMs += 5_000;
    expect(await other.acquire()).toEqual(ours);
    expect(await one.isStillOurs()).toBe(false);
    expect(await one.renew()).toBe(false);
    expect(await one.acquire()).toEqual({ kind: 'theirs', host: 'other' });
  });

  it('never passes on a renewed lease, even if the file server’s clock jumps', async () => {
    const [one, other] = [computer('one'), computer('other')];
    await one.acquire();
    const standing = await standBy(other, 3 * staleMs, 20_000, async () => {
      expect(await one.renew()).toBe(true);
      for (const name of await leaseFiles()) {
        const then = new Date(Date.now() - 400 * 86_400_000);
        await utimes(join(folder, '.tilelift/leases', name), then, then);
      }
    });
    expect(standing).toMatchObject({ kind: 'theirs' });
  });

  it('passes on an unrenewed lease although its file times change, since only content counts', async () => {
    const [one, other] = [computer('one'), computer('other')];
    await one.acquire();
    const standing = await standBy(other, staleMs, 5_000, async () => {
      for (const name of await leaseFiles())
        await utimes(join(folder, '.tilelift/leases', name), new Date(), new Date());
    });
    expect(standing).toEqual(ours);
  });

  it('passes no lease to a computer that slept, since others could have renewed it meanwhile', async () => {
    const [one, other] = [computer('one'), computer('other')];
    await one.acquire();
    await other.acquire();
    elapsedMs += 10 * staleMs;
    expect(await other.acquire()).toMatchObject({ kind: 'theirs' });
  });

  it('passes on an unrenewed lease although another computer died during its takeover', async () => {
    await computer('one').acquire();
    const dead = join(folder, '.tilelift/leases');
    const other = computer('other');
    const standing = await standBy(other, 3 * staleMs, 5_000, async () => {
      // The dead computer created the lock for this content and got no further.
      if ((await leaseFiles()).length === 1) {
        const { createHash } = await import('node:crypto');
        const text = await readFile(join(dead, 'folder.json'), 'utf8');
        const generation = createHash('sha256').update(text).digest('hex').slice(0, 16);
        await writeFile(join(dead, `folder.json.${generation}-1.lock`), '{}');
      }
    });
    expect(standing).toEqual(ours);
  });
});

describe('a takeover', () => {
  it('never removes the lease of a faster computer', async () => {
    const [slow, fast] = [computer('slow'), computer('fast')];
    await computer('dead').acquire();
    for (let quarter = 0; quarter < 4; quarter++) {
      for (const rival of [slow, fast]) expect(await rival.acquire()).toMatchObject({ kind: 'theirs' });
      elapsedMs += staleMs / 4;
    }
    const standings: unknown[] = [];
    beforeRemovals.push(async () => {
      standings.push(await fast.acquire());
    });
    standings.push(await slow.acquire());
    expect(standings.filter((standing) => isDeepStrictEqual(standing, ours))).toHaveLength(1);
    expect(await computer('latecomer').acquire()).toMatchObject({ kind: 'theirs' });
  });
});

describe('a restarted computer', () => {
  it('resumes its lease immediately after a clean exit', async () => {
    const one = computer('one');
    await one.acquire();
    await one.release('rest');
    expect(await computer('other').acquire()).toMatchObject({ kind: 'theirs' });
    expect(await computer('one').acquire()).toEqual(ours);
  });

  it('resumes its lease a minute after a kill', async () => {
    await computer('one').acquire();
    const again = computer('one');
    expect(await again.acquire()).toEqual({ kind: 'former', host: 'one' });
    expect(await standBy(again, formerMs)).toEqual(ours);
  });

  it('stands by while a copy of the computer runs, even with the same machine id', async () => {
    const [one, copy] = [computer('one'), computer('one')];
    await one.acquire();
    expect(await copy.acquire()).toMatchObject({ kind: 'former' });
    const standing = await standBy(copy, 2 * staleMs, 20_000, async () => {
      expect(await one.renew()).toBe(true);
    });
    expect(standing).toMatchObject({ kind: 'theirs' });
  });
});

describe('rules with patterns', () => {
  it('hold separate leases if no file can match both', async () => {
    expect(await computer('one', files('*.tif')).acquire()).toEqual(ours);
    expect(await computer('other', files('*.las')).acquire()).toEqual(ours);
    expect(await leaseFiles()).toHaveLength(2);
  });

  it('stand by for each other if a file could match both', async () => {
    const one = computer('one', files('*.tif'));
    expect(await one.acquire()).toEqual(ours);
    const other = computer('other', files('*.las', 'ortho_*'));
    expect(await other.acquire()).toEqual({ kind: 'theirs', host: 'one' });
    expect(await computer('third').acquire()).toMatchObject({ kind: 'theirs' });
    expect(await standBy(other, staleMs)).toEqual(ours);
  });

  it('never both watch when several computers begin simultaneously', async () => {
    for (let round = 0; round < 20; round++) {
      const all = [computer('one', files('*.tif')), computer('two', files('a*')), computer('three')];
      const standings = await Promise.all(all.map((lease) => lease.acquire()));
      expect(standings.filter(({ kind }) => kind === 'ours').length).toBeLessThan(2);
      await Promise.all(all.map((lease) => lease.release('at-once')));
    }
  });
});

describe('four concurrent processes', () => {
  const script = fileURLToPath(new URL('./leasing-process.ts', import.meta.url));

  /** Makes all processes race for the folders after watching for `watchedMs`; returns what each got. */
  async function race(folders: readonly string[], watchedMs: number): Promise<string[][]> {
    const started: { process: ChildProcessWithoutNullStreams; lines: AsyncIterator<string> }[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const setup = JSON.stringify({ folders, name, staleMs, watchedMs });
      const process = spawn(globalThis.process.execPath, [script, setup]);
      process.stderr.on('data', (text) => console.error(String(text)));
      const lines = createInterface(process.stdout)[Symbol.asyncIterator]();
      started.push({ process, lines });
    }
    for (const { lines } of started) expect((await lines.next()).value).toBe('ready');
    for (const { process } of started) process.stdin.write('go\n');
    return Promise.all(
      started.map(async ({ process, lines }) => {
        const ended = once(process, 'exit');
        const taken: string[] = JSON.parse((await lines.next()).value);
        await ended;
        return taken;
      }),
    );
  }

  async function makeFolders(): Promise<string[]> {
    const folders = Array.from({ length: 100 }, (_, index) => join(folder, `folder-${100 + index}`));
    for (const path of folders) await mkdir(path);
    return folders;
  }

  it('acquire each of 100 leases exactly once', async () => {
    const folders = await makeFolders();
    expect((await race(folders, 0)).flat().sort()).toEqual(folders);
  }, 60_000);

  it('take over each of 100 stale leases exactly once', async () => {
    const folders = await makeFolders();
    const dead = folders.map((path) => computer('dead', { folder: path }));
    for (const lease of dead) await lease.acquire();
    expect((await race(folders, staleMs)).flat().sort()).toEqual(folders);
    for (const lease of dead) expect(await lease.renew()).toBe(false);
  }, 60_000);
});
