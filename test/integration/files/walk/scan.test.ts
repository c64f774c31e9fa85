import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { scanSource } from '../../../../main/files/walk/scan.ts';
import { readZipNames } from '../../../../main/inspect/kind-of-data.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

let root: string;

beforeEach(async () => {
  root = temporaryFolder();
  await chmod(root, 0o755);
});

async function put(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), `content of ${name}`);
  }
}

const keys = async (paths: readonly string[]) =>
  Array.from((await scanSource(paths)).files, ({ key }) => key).sort();

describe('keys of a scan', () => {
  it('are relative to one dropped folder', async () => {
    await put('data/a.gml', 'data/deep/er/b.gml');
    expect(await keys([join(root, 'data')])).toEqual(['a.gml', 'deep/er/b.gml']);
  });

  it('are the name of one dropped file', async () => {
    await put('data/a.gml');
    expect(await keys([join(root, 'data/a.gml')])).toEqual(['a.gml']);
  });

  it('start with each entry’s own name if several were dropped', async () => {
    await put('one/a.gml', 'two/a.gml', 'c.gml');
    expect(await keys(['one', 'two', 'c.gml'].map((name) => join(root, name)))).toEqual([
      'c.gml',
      'one/a.gml',
      'two/a.gml',
    ]);
  });

  it('are in NFC whatever the system returns, with their case kept', async () => {
    await put('data/U\u0308ber/Stra\u00dfe.GML');
    expect(await keys([join(root, 'data')])).toEqual(['\u00dcber/Stra\u00dfe.GML']);
  });

  it('are rejected if two files share one: the error names both', async () => {
    await put('data/\u00dc.gml', 'data/U\u0308.gml');
    await expect(scanSource([join(root, 'data')])).rejects.toMatchObject({
      code: 'source-keys-collide',
      message: expect.stringMatching(/data\/.* and .*data\//),
    });
  });
});

describe('scanned files', () => {
  it('have size and modification time, also if empty', async () => {
    await put('data/a.gml');
    await writeFile(join(root, 'data/empty'), '');
    const scan = await scanSource([join(root, 'data')]);
    expect(scan.bytes).toBe('content of data/a.gml'.length);
    expect(scan.files).toHaveLength(2);
    for (const file of scan.files) expect(file.mtimeMs).toBeGreaterThan(1.6e12);
  });

  it('exclude ignored files, which are listed', async () => {
    await put('data/a.gml', 'data/.DS_Store', 'data/b.tmp', 'data/.git/config');
    const scan = await scanSource([join(root, 'data')]);
    expect(Array.from(scan.files, ({ key }) => key)).toEqual(['a.gml']);
    expect([...scan.ignored].sort()).toEqual(
      ['.DS_Store', '.git', 'b.tmp'].map((name) => join(root, 'data', name)),
    );
  });

  it('include a single dropped file that a rule ignores', async () => {
    await put('b.tmp', 'a.gml');
    expect(await keys([join(root, 'b.tmp')])).toEqual(['b.tmp']);
    expect(await keys([join(root, 'b.tmp'), join(root, 'a.gml')])).toEqual(['a.gml']);
  });

  it('exclude files behind links within the source and circles', async () => {
    await put('outside/secret.txt', 'data/a.gml');
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

  it('include files behind a dropped link', async () => {
    await put('real/a.gml');
    await symlink(join(root, 'real'), join(root, 'link'));
    await symlink(join(root, 'real/a.gml'), join(root, 'link.gml'));
    expect(await keys([join(root, 'link')])).toEqual(['a.gml']);
    expect(await keys([join(root, 'link.gml')])).toEqual(['link.gml']);
  });
});

describe('scan of an invalid source', () => {
  it('rejects a missing source', async () => {
    await expect(scanSource([join(root, 'nothing')])).rejects.toMatchObject({ code: 'source-missing' });
  });

  it('rejects an empty source, also if rules exclude all its files', async () => {
    await put('data/.DS_Store');
    await mkdir(join(root, 'data/deep'));
    await expect(scanSource([join(root, 'data')])).rejects.toMatchObject({ code: 'source-empty' });
  });

  // As the superuser everything is readable, so the scan runs as someone else there.
  const nobody = 65534;
  const isRoot = process.geteuid?.() === 0;

  it.runIf(process.platform !== 'win32')(
    'rejects an unreadable source with one error that names all paths',
    async () => {
      await put('data/a.gml', 'data/b.gml', 'data/c.gml', 'data/deep/d.gml');
      await chmod(join(root, 'data/a.gml'), 0);
      await chmod(join(root, 'data/c.gml'), 0);
      await chmod(join(root, 'data/deep'), 0);
      if (isRoot) process.seteuid?.(nobody);
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

  it('rejects with the signal’s reason when aborted', async () => {
    await put('data/a.gml');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(scanSource([join(root, 'data')], { signal })).rejects.toThrow('enough');
  });
});

describe('threads of a scan', () => {
  it('are reused by the next scan with its own rules, except those of an aborted one', async () => {
    await put('starts', 'data/a.gml', 'data/b.tmp');
    await writeFile(join(root, 'starts'), '');
    process.env.TILELIFT_TEST_STARTS = join(root, 'starts');
    const worker = new URL('counted-scan-worker.ts', import.meta.url);
    const started = async () => (await readFile(join(root, 'starts'), 'utf8')).split('\n').length - 1;
    const found = async (ignorePatterns: readonly string[]) => {
      const scan = await scanSource([join(root, 'data')], { worker, ignorePatterns });
      return Array.from(scan.files, ({ key }) => key).sort();
    };
    expect(await found(['*.tmp'])).toEqual(['a.gml']);
    expect(await found([])).toEqual(['a.gml', 'b.tmp']);
    expect(await started()).toBe(1);

    const stop = new AbortController();
    const givenUp = scanSource([join(root, 'data')], {
      worker,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(givenUp).rejects.toThrow('enough');
    expect(await found(['*.gml'])).toEqual(['b.tmp']);
    expect(await started()).toBe(2);
  });
});

describe('scan of a large source', () => {
  it('reports progress and leaves the event loop free', async () => {
    await mkdir(join(root, 'data'));
    for (let index = 0; index < 5_000; index += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, offset) =>
          writeFile(join(root, 'data', `${index + offset}.gml`), ''),
        ),
      );
    }
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const told: number[] = [];
    const scan = await scanSource([join(root, 'data')], { onProgress: ({ files }) => told.push(files) });
    clearInterval(timer);

    expect(scan.files).toHaveLength(5_000);
    expect(told.at(-1)).toBe(5_000);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(turns).toBeGreaterThan(10);
  });
});

describe('scan of a single zip', () => {
  it('lists the names inside it', async () => {
    // An archive of one stored, empty file "dir/city.gml", as its headers alone.
    const name = Buffer.from('dir/city.gml');
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(name.length, 28);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(central.length + name.length, 12);
    end.writeUInt32LE(local.length + name.length, 16);
    await writeFile(join(root, 'city.zip'), Buffer.concat([local, name, central, name, end]));

    expect(await readZipNames(join(root, 'city.zip'))).toEqual(['dir/city.gml']);
  });

  it('lists no names and throws no error for an invalid zip', async () => {
    await writeFile(join(root, 'a.zip'), 'PK? no');
    expect(await readZipNames(join(root, 'a.zip'))).toEqual([]);
  });
});
