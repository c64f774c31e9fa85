import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { scanSource } from '../../../../main/files/walk/scan.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

let root: string;

beforeEach(async () => {
  root = temporaryFolder();
  await chmod(root, 0o755);
});

async function writeNamed(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), `content of ${name}`);
  }
}

const keys = async (paths: readonly string[]) =>
  Array.from((await scanSource(paths)).files, ({ key }) => key).sort();

it('keys of a scan: makes keys relative to one dropped folder', async () => {
  await writeNamed('data/a.gml', 'data/deep/er/b.gml');
  expect(await keys([join(root, 'data')])).toEqual(['a.gml', 'deep/er/b.gml']);
});

it('keys of a scan: uses the name of one dropped file as its key', async () => {
  await writeNamed('data/a.gml');
  expect(await keys([join(root, 'data/a.gml')])).toEqual(['a.gml']);
});

it('keys of a scan start with each entry’s own name if several were dropped', async () => {
  await writeNamed('one/a.gml', 'two/a.gml', 'c.gml');
  expect(await keys(['one', 'two', 'c.gml'].map((name) => join(root, name)))).toEqual([
    'c.gml',
    'one/a.gml',
    'two/a.gml',
  ]);
});

it('scanned files: returns size and modification time of every file, also of empty ones', async () => {
  await writeNamed('data/a.gml');
  await writeFile(join(root, 'data/empty'), '');
  const scan = await scanSource([join(root, 'data')]);
  expect(scan.bytes).toBe('content of data/a.gml'.length);
  expect(scan.files).toHaveLength(2);
  for (const file of scan.files) expect(file.mtimeMs).toBeGreaterThan(1.6e12);
});

it('scanned files exclude ignored files, which are listed', async () => {
  await writeNamed('data/a.gml', 'data/.DS_Store', 'data/b.tmp', 'data/.git/config');
  const scan = await scanSource([join(root, 'data')]);
  expect(Array.from(scan.files, ({ key }) => key)).toEqual(['a.gml']);
  expect([...scan.ignored].sort()).toEqual(
    ['.DS_Store', '.git', 'b.tmp'].map((name) => join(root, 'data', name)),
  );
});

it('scanned files include a single dropped file that a rule ignores', async () => {
  await writeNamed('b.tmp', 'a.gml');
  expect(await keys([join(root, 'b.tmp')])).toEqual(['b.tmp']);
  expect(await keys([join(root, 'b.tmp'), join(root, 'a.gml')])).toEqual(['a.gml']);
});

it('scanned files exclude files behind links within the source and circles', async () => {
  await writeNamed('outside/secret.txt', 'data/a.gml');
  await symlink(join(root, 'outside'), join(root, 'data/out'));
  await symlink(join(root, 'outside/secret.txt'), join(root, 'data/secret.txt'));
  await symlink(join(root, 'data'), join(root, 'data/circle'));
  const scan = await scanSource([join(root, 'data')]);
  expect(Array.from(scan.files, ({ key }) => key)).toEqual(['a.gml']);
  expect([...(scan.links ?? [])].sort()).toEqual(
    ['circle', 'out', 'secret.txt'].map((name) => join(root, 'data', name)),
  );
  expect(scan.ignored).toEqual([]);
});

it('scanned files include files behind a dropped link', async () => {
  await writeNamed('real/a.gml');
  await symlink(join(root, 'real'), join(root, 'link'));
  await symlink(join(root, 'real/a.gml'), join(root, 'link.gml'));
  expect(await keys([join(root, 'link')])).toEqual(['a.gml']);
  expect(await keys([join(root, 'link.gml')])).toEqual(['link.gml']);
});

describe('scan of an invalid source', () => {
  it('a scan rejects a missing source', async () => {
    await expect(scanSource([join(root, 'nothing')])).rejects.toMatchObject({ code: 'source-missing' });
  });

  it('scan of an invalid source: rejects an empty source, also if rules exclude all its files', async () => {
    await writeNamed('data/.DS_Store');
    await mkdir(join(root, 'data/deep'));
    await expect(scanSource([join(root, 'data')])).rejects.toMatchObject({ code: 'source-empty' });
  });

  // The superuser can read everything, so the scan runs as another user.
  const nobodyUid = 65534;
  const isRoot = process.geteuid?.() === 0;

  it.runIf(process.platform !== 'win32')(
    'scan of an invalid source: rejects an unreadable source with one error that names all paths',
    async () => {
      await writeNamed('data/a.gml', 'data/b.gml', 'data/c.gml', 'data/deep/d.gml');
      await chmod(join(root, 'data/a.gml'), 0);
      await chmod(join(root, 'data/c.gml'), 0);
      await chmod(join(root, 'data/deep'), 0);
      if (isRoot) process.seteuid?.(nobodyUid);
      try {
        await expect(scanSource([join(root, 'data')])).rejects.toMatchObject({
          code: 'source-unreadable',
          message: expect.stringMatching(/^(?=.*a\.gml)(?=.*c\.gml)(?=.*deep)(?!.*b\.gml)/),
        });
      } finally {
        if (isRoot) process.seteuid?.(0);
        await chmod(join(root, 'data/deep'), 0o755);
      }
    },
  );

  it('scan of an invalid source: rejects with the signal’s reason when aborted', async () => {
    await writeNamed('data/a.gml');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(scanSource([join(root, 'data')], { signal })).rejects.toThrow('enough');
  });
});

it('threads of a scan: reuses them with the next scan’s rules, except those of an aborted one', async () => {
  await writeNamed('starts', 'data/a.gml', 'data/b.las');
  await writeFile(join(root, 'starts'), '');
  process.env.TILELIFT_TEST_STARTS = join(root, 'starts');
  const worker = new URL('counted-scan-worker.ts', import.meta.url);
  const countStarted = async () => (await readFile(join(root, 'starts'), 'utf8')).split('\n').length - 1;
  const scanKeys = async (gitignore: readonly string[]) => {
    const scan = await scanSource([join(root, 'data')], { worker, gitignore });
    return Array.from(scan.files, ({ key }) => key).sort();
  };
  expect(await scanKeys(['*.las'])).toEqual(['a.gml']);
  expect(await scanKeys([])).toEqual(['a.gml', 'b.las']);
  expect(await countStarted()).toBe(1);

  const stop = new AbortController();
  const givenUp = scanSource([join(root, 'data')], {
    worker,
    signal: stop.signal,
    onFiles: () => stop.abort(new Error('enough')),
  });
  await expect(givenUp).rejects.toThrow('enough');
  expect(await scanKeys(['*.gml'])).toEqual(['b.las']);
  expect(await countStarted()).toBe(2);
});

it('the scan of a large source reports its files in batches and leaves the event loop free', async () => {
  await mkdir(join(root, 'data'));
  for (let index = 0; index < 5_000; index += 500) {
    await Promise.all(
      Array.from({ length: 500 }, (_, offset) => writeFile(join(root, 'data', `${index + offset}.gml`), '')),
    );
  }
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const counts: number[] = [];
  const scan = await scanSource([join(root, 'data')], { onFiles: (files) => counts.push(files.length) });
  clearInterval(timer);

  expect(scan.files).toHaveLength(5_000);
  expect(counts.reduce((sum, count) => sum + count)).toBe(5_000);
  expect(counts.length).toBeGreaterThan(1);
  expect(turns).toBeGreaterThan(10);
});
