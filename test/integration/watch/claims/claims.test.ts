import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../main/outside.ts';
import { clearClaim, readClaim } from '../../../../main/watch/claims/claim-file.ts';
import {
  type ClaimOwner,
  type Claims,
  type ClaimsOptions,
  createClaims,
} from '../../../../main/watch/claims/claims.ts';
import { SeenClaims } from '../../../../main/watch/claims/seen-claims.ts';
import { holdOwnFolder } from '../../../../main/watch/folder/held-folder.ts';

const staleMs = 600_000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-claims-'));
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

const claimFiles = () => readdir(join(folder, '.tilelift/claims'));

/** What every computer's own clock shows, ms. */
let elapsedMs = 0;

function computer(instance: string, owner: Partial<ClaimOwner> = {}, more: Partial<ClaimsOptions> = {}) {
  return createClaims({
    folder,
    owner: { instance, host: instance, pid: 1, ...owner },
    clock: systemClock,
    elapsed: () => elapsedMs,
    staleMs,
    ...more,
  });
}

/** The computer looks again and again for so long, and gives what came of the last look. */
async function watching(claims: Claims, ms: number, [path, identity] = ['scan', 'x'] as const) {
  let answer = await claims.claim(path, identity);
  for (let waited = 0; waited < ms && answer === 'theirs'; waited += 60_000) {
    elapsedMs += 60_000;
    answer = await claims.claim(path, identity);
  }
  return answer;
}

/** The file server's clock is set, and shows in the time of every claim. */
async function setServerClock(ms: number): Promise<void> {
  for (const name of await claimFiles()) {
    const path = join(folder, '.tilelift/claims', name);
    const then = new Date((await stat(path)).mtimeMs + ms);
    await utimes(path, then, then);
  }
}

const done = { state: 'done', outcome: 'complete', asset: null, content: null } as const;

async function spoil(text: string): Promise<void> {
  for (const name of await claimFiles()) await writeFile(join(folder, '.tilelift/claims', name), text);
}

describe('a claim', () => {
  it('is of the computer that comes first, also after its restart', async () => {
    expect(await computer('a').claim('scan', 'x')).toBe('ours');
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
    expect(await computer('b').claim('other', 'x')).toBe('ours');
    expect(await computer('a').claim('scan', 'x')).toBe('ours');
  });

  it('is free again once it is released', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    expect(a.mine()).toEqual(['scan']);
    await a.release('scan');
    expect(a.mine()).toEqual([]);
    expect(await computer('b').claim('scan', 'x')).toBe('ours');
  });

  it('of another is not released', async () => {
    await computer('a').claim('scan', 'x');
    await computer('b').release('scan');
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
  });

  it('that is done keeps others from the same content, not from a changed one', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await a.finish('scan', 'x', done);
    expect(a.mine()).toEqual([]);
    expect(await computer('b').claim('scan', 'x')).toBe('done');
    elapsedMs += 10 * staleMs;
    expect(await computer('b').claim('scan', 'x')).toBe('done');
    expect(await computer('b').claim('scan', 'changed')).toBe('ours');
    expect(await a.claim('scan', 'x')).toBe('theirs');
  });

  it('that ends while it is confirmed stays ended', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await a.finish('scan', 'x', done);
    expect(await a.claim('scan', 'x', 'confirm')).toBe('ours');
    expect(a.mine()).toEqual([]);
    expect(await computer('b').claim('scan', 'x')).toBe('done');
  });

  it('that is done can be taken up again where it was done', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await a.finish('scan', 'x', { ...done, state: 'failed' });
    expect(await a.claim('scan', 'x')).toBe('ours');
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
  });

  it('whose words grow long is still whole', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await a.finish('scan', 'x', { ...done, outcome: 'long '.repeat(500) });
    expect(await computer('b').claim('scan', 'x')).toBe('done');
    await a.claim('scan', 'x');
    await a.finish('scan', 'x', { ...done, outcome: 'short' });
    expect(await computer('b').claim('scan', 'x')).toBe('done');
  });
});

describe('a claim that is not renewed', () => {
  it('is taken over once another has watched it for long enough, and its owner is told when it comes back', async () => {
    const [a, b] = [computer('a'), computer('b')];
    await a.claim('scan', 'x');
    expect(await watching(b, staleMs - 60_000)).toBe('theirs');
    expect(await watching(b, 120_000)).toBe('ours');

    expect(await a.renew()).toEqual(['scan']);
    expect(a.mine()).toEqual([]);
    expect(await a.renew()).toEqual([]);
    await a.finish('scan', 'x', done);
    expect(await a.claim('scan', 'x')).toBe('theirs');
    expect(await claimFiles()).toHaveLength(1);
  });

  it('is not judged by the file server’s clock: one that jumps takes no live claim', async () => {
    const [a, b] = [computer('a'), computer('b')];
    await a.claim('scan', 'x');
    for (const ms of [-100 * staleMs, 200 * staleMs, -staleMs]) {
      await setServerClock(ms);
      expect(await b.claim('scan', 'x')).toBe('theirs');
      expect(await computer('just started').claim('scan', 'x')).toBe('theirs');
      elapsedMs += 60_000;
    }
    for (let minute = 0; minute < 30; minute++) {
      await a.renew();
      // Its clock stands still: no renewal shows in the time of a file.
      for (const name of await claimFiles()) await utimes(join(folder, '.tilelift/claims', name), 1, 1);
      expect(await b.claim('scan', 'x')).toBe('theirs');
      elapsedMs += 60_000;
    }
    expect(await a.renew()).toEqual([]);
  });

  it('is not what nobody could see renewed: time asleep, or with the server away, counts for little', async () => {
    const b = computer('b');
    await computer('a').claim('scan', 'x');
    await b.claim('scan', 'x');
    elapsedMs += 100 * staleMs;
    expect(await b.claim('scan', 'x')).toBe('theirs');
    expect(await watching(b, staleMs)).toBe('ours');
  });

  it('is one that was not damaged either', async () => {
    await computer('a').claim('scan', 'x');
    const b = computer('b');
    for (const text of ['', '{"id": "half', '[]']) {
      await spoil(text);
      expect(await watching(b, staleMs - 60_000)).toBe('theirs');
    }
    expect(await watching(b, 120_000)).toBe('ours');
  });

  it('stays its owner’s once it is', async () => {
    const [a, b] = [computer('a'), computer('b')];
    await a.claim('scan', 'x');
    expect(await watching(b, staleMs - 60_000)).toBe('theirs');
    expect(await a.renew()).toEqual([]);
    expect(await watching(b, staleMs - 60_000)).toBe('theirs');
  });

  it('is created again where someone deleted it', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await rm(join(folder, '.tilelift'), { recursive: true });
    expect(await a.renew()).toEqual([]);
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
  });

  it('is not cleared away by one who read it before another took it over', async () => {
    await computer('gone').claim('scan', 'x');
    const [name = ''] = await claimFiles();
    await using claims = await holdOwnFolder(folder, 'claims');
    const read = await readClaim(claims, name);
    expect(await watching(computer('a'), staleMs)).toBe('ours');

    const seen = new SeenClaims(staleMs, () => elapsedMs);
    expect(read && (await clearClaim(claims, name, read, seen))).toBe(false);

    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
    expect(await claimFiles()).toEqual([name]);
  });

  it('does not wait for ever for one who died while taking it over', async () => {
    await computer('a').claim('scan', 'x');
    const [name = ''] = await claimFiles();
    await using claims = await holdOwnFolder(folder, 'claims');
    const generation = (await readClaim(claims, name))?.generation;
    const lock = join(folder, '.tilelift/claims', `${name}.${generation}-1.lock`);
    await writeFile(lock, '');
    const b = computer('b');
    expect(await watching(b, staleMs)).toBe('theirs');
    expect(await watching(b, staleMs)).toBe('ours');
  });

  it('is left as it is where it names an asset, until someone has looked what became of that', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    const asset = { id: 7, service: 'https://service', uploaded: true };
    await a.name('scan', asset);
    const b = computer('b');
    expect(await watching(b, staleMs)).toBe('left');
    expect(b.met('scan')).toMatchObject({ owner: { instance: 'a' }, asset });
    expect(await computer('a').claim('scan', 'x')).toBe('ours');
    expect(await b.claim('scan', 'x', 'whatever')).toBe('theirs');
    expect(await watching(b, staleMs)).toBe('left');
    expect(await b.claim('scan', 'x', 'whatever')).toBe('ours');
    expect(await a.renew()).toEqual(['scan']);
  });

  it('keeps its asset over a restart of its owner', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    const asset = { id: 7, service: null, uploaded: false };
    await a.name('scan', asset);
    await computer('a').claim('scan', 'x');
    const b = computer('b');
    await b.claim('scan', 'x');
    expect(b.met('scan')?.asset).toEqual(asset);
  });

  it('that only rests is taken by others once they have seen so', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    a.rest('scan');
    await a.renew();
    expect(await watching(computer('b'), staleMs)).toBe('ours');
  });
});

describe('two computers with the same settings', () => {
  it('don’t take each other’s claims for their own, and say that once', async () => {
    const onTwin = vi.fn();
    const one = computer('same', { machine: 'one', host: 'pool-1' });
    const other = computer('same', { machine: 'other', host: 'pool-2' }, { onTwin });
    expect(await one.claim('scan', 'x')).toBe('ours');
    expect(await other.claim('scan', 'x')).toBe('theirs');
    expect(onTwin).toHaveBeenCalledWith('pool-1');
    await other.release('scan');
    expect(await one.renew()).toEqual([]);
    expect(await other.claim('scan', 'x')).toBe('theirs');
    expect(await computer('same', { machine: 'one', host: 'pool-1' }).claim('scan', 'x')).toBe('ours');
  });

  it('know claims of earlier versions, which name no machine, by the host', async () => {
    await computer('same', { machine: null, host: 'pool-1' }).claim('scan', 'x');
    expect(await computer('same', { machine: 'other', host: 'pool-2' }).claim('scan', 'x')).toBe('theirs');
    expect(await computer('same', { machine: 'one', host: 'pool-1' }).claim('scan', 'x')).toBe('ours');
  });
});

describe('a claim of another version', () => {
  const earlier = (change: object = {}) =>
    JSON.stringify({
      id: 'one',
      owner: { instance: 'a', host: 'a', pid: 1 },
      source: 'scan',
      identity: 'x',
      since: 0,
      state: 'held',
      outcome: null,
      ...change,
    });

  it('of before still reads', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await spoil(earlier());
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
    expect(await computer('a').claim('scan', 'x')).toBe('ours');
    await spoil(earlier({ state: 'done', outcome: 'complete' }));
    expect(await computer('b').claim('scan', 'x')).toBe('done');
  });

  it('of later is left alone for good, whoever it seems to be of', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    const text = earlier({ version: 3 });
    await spoil(text);
    const onLater = vi.fn();
    const b = computer('b', {}, { onLater });
    expect(await watching(b, 10 * staleMs)).toBe('theirs');
    expect(await computer('a').claim('scan', 'x')).toBe('theirs');
    expect(await a.renew()).toEqual(['scan']);
    await a.finish('scan', 'x', done);
    expect(onLater).toHaveBeenCalledExactlyOnceWith('scan');
    const [name = ''] = await claimFiles();
    expect(await readFile(join(folder, '.tilelift/claims', name), 'utf8')).toBe(text);
  });
});

describe('a folder that can’t be written', () => {
  it('is said to be so', async () => {
    await rm(folder, { recursive: true });
    await expect(computer('a').claim('scan', 'x')).rejects.toMatchObject({
      code: 'watch-claims-unwritable',
      message: expect.stringContaining(folder),
    });
    // Nothing was made in the place of a drive that is away.
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(folder);
  });

  it('loses no claim while it is away', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await rm(folder, { recursive: true });
    await expect(a.renew()).rejects.toMatchObject({ code: 'watch-claims-unwritable' });
    expect(a.mine()).toEqual(['scan']);
    await mkdir(folder);
    expect(await a.renew()).toEqual([]);
  });
});

describe('several computers at once', () => {
  const script = fileURLToPath(new URL('./claiming-process.ts', import.meta.url));

  /**
   * Four processes that have watched what is there for so long, ms, and begin together; what each of them
   * got.
   */
  async function race(sources: number, watchedMs: number): Promise<string[][]> {
    const started: { process: ChildProcessWithoutNullStreams; lines: AsyncIterator<string> }[] = [];
    for (const instance of ['a', 'b', 'c', 'd']) {
      const setup = JSON.stringify({ folder, instance, sources, staleMs, watchedMs });
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
        const ours: string[] = JSON.parse((await lines.next()).value);
        await ended;
        return ours;
      }),
    );
  }

  const everySource = Array.from({ length: 200 }, (_, index) => `source-${index}`).sort();

  it('claim each of 200 sources exactly once', async () => {
    expect((await race(200, 0)).flat().sort()).toEqual(everySource);
  });

  it('take each of 200 abandoned sources over exactly once', async () => {
    const gone = computer('gone');
    for (const source of everySource) await gone.claim(source, 'identity');

    const taken = (await race(200, staleMs)).flat().sort();

    expect(new Set(taken).size).toBe(taken.length);
    expect(taken).toEqual(everySource);
    expect(await gone.renew()).toHaveLength(200);
  });
});
