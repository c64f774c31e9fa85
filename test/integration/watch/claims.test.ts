import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../main/outside.ts';
import { clearClaim, readClaim } from '../../../main/watch/claims/claim-file.ts';
import { type Claims, createClaims } from '../../../main/watch/claims/claims.ts';
import { holdOwnFolder } from '../../../main/watch/folder/own-folder.ts';

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

function computer(instance: string, now = systemClock.now): Claims {
  const owner = { instance, host: instance, pid: 1 };
  return createClaims({ folder, owner, clock: { now }, staleMs });
}

/** As if so much time had gone by on the file server since each claim was renewed. */
async function age(ms: number): Promise<void> {
  for (const name of await claimFiles()) {
    const path = join(folder, '.tilelift/claims', name);
    const then = new Date((await stat(path)).mtimeMs - ms);
    await utimes(path, then, then);
  }
}

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
    await a.finish('scan', 'x', 'complete');
    expect(a.mine()).toEqual([]);
    expect(await computer('b').claim('scan', 'x')).toBe('done');
    await age(10 * staleMs);
    expect(await computer('b').claim('scan', 'x')).toBe('done');
    expect(await computer('b').claim('scan', 'changed')).toBe('ours');
    expect(await a.claim('scan', 'x')).toBe('theirs');
  });

  it('that is done can be taken up again where it was done', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await a.finish('scan', 'x', 'waits-for-person');
    expect(await a.claim('scan', 'x')).toBe('ours');
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
  });

  it('whose words grow long is still whole', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await a.finish('scan', 'x', 'long '.repeat(500));
    expect(await computer('b').claim('scan', 'x')).toBe('done');
    await a.claim('scan', 'x');
    await a.finish('scan', 'x', 'short');
    expect(await computer('b').claim('scan', 'x')).toBe('done');
  });
});

describe('a claim that is not renewed', () => {
  it('is taken over, and its owner is told when it comes back', async () => {
    const [a, b] = [computer('a'), computer('b')];
    await a.claim('scan', 'x');
    await age(staleMs - 5_000);
    expect(await b.claim('scan', 'x')).toBe('theirs');
    await age(10_000);
    expect(await b.claim('scan', 'x')).toBe('ours');

    expect(await a.renew()).toEqual(['scan']);
    expect(a.mine()).toEqual([]);
    expect(await a.renew()).toEqual([]);
    await a.finish('scan', 'x', 'complete');
    expect(await a.claim('scan', 'x')).toBe('theirs');
    expect(await claimFiles()).toHaveLength(1);
  });

  it('is told by the file server’s clock, whatever computers believe', async () => {
    await computer('a').claim('scan', 'x');
    const ahead = computer('b', () => systemClock.now() + 100 * staleMs);
    expect(await ahead.claim('scan', 'x')).toBe('theirs');
    await age(staleMs + 5_000);
    const behind = computer('b', () => 0);
    expect(await behind.claim('scan', 'x')).toBe('ours');
  });

  it('is one that was not damaged either', async () => {
    await computer('a').claim('scan', 'x');
    for (const text of ['', '{"id": "half', '[]']) {
      await spoil(text);
      expect(await computer('b').claim('scan', 'x')).toBe('theirs');
    }
    await age(staleMs + 5_000);
    expect(await computer('b').claim('scan', 'x')).toBe('ours');
  });

  it('stays its owner’s once it is', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await age(staleMs + 5_000);
    expect(await a.renew()).toEqual([]);
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
  });

  it('is made anew where somebody deleted it', async () => {
    const a = computer('a');
    await a.claim('scan', 'x');
    await rm(join(folder, '.tilelift'), { recursive: true });
    expect(await a.renew()).toEqual([]);
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
  });

  it('is not cleared away by one who read it before another took it over', async () => {
    await computer('gone').claim('scan', 'x');
    await age(staleMs + 5_000);
    const [name = ''] = await claimFiles();
    await using claims = await holdOwnFolder(folder, 'claims');
    const read = await readClaim(claims, name);
    expect(await computer('a').claim('scan', 'x')).toBe('ours');

    expect(read && (await clearClaim(claims, name, read, staleMs, Date.now()))).toBe(false);

    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
    expect(await claimFiles()).toEqual([name]);
  });

  it('does not wait for ever for one who died while taking it over', async () => {
    await computer('a').claim('scan', 'x');
    await age(staleMs + 5_000);
    const [name = ''] = await claimFiles();
    await using claims = await holdOwnFolder(folder, 'claims');
    const generation = (await readClaim(claims, name))?.generation;
    const lock = join(folder, '.tilelift/claims', `${name}.${generation}-1.lock`);
    await writeFile(lock, '');
    expect(await computer('b').claim('scan', 'x')).toBe('theirs');
    const then = new Date(Date.now() - 2 * staleMs);
    await utimes(lock, then, then);
    expect(await computer('b').claim('scan', 'x')).toBe('ours');
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

  /** Four processes that begin together; what each of them got. */
  async function race(sources: number): Promise<string[][]> {
    const started: { process: ChildProcessWithoutNullStreams; lines: AsyncIterator<string> }[] = [];
    for (const instance of ['a', 'b', 'c', 'd']) {
      const setup = JSON.stringify({ folder, instance, sources, staleMs });
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
    expect((await race(200)).flat().sort()).toEqual(everySource);
  });

  it('take each of 200 abandoned sources over exactly once', async () => {
    const gone = computer('gone');
    for (const source of everySource) await gone.claim(source, 'identity');
    await age(staleMs + 60_000);

    const taken = (await race(200)).flat().sort();

    expect(new Set(taken).size).toBe(taken.length);
    expect(taken).toEqual(everySource);
    expect(await gone.renew()).toHaveLength(200);
  });
});
