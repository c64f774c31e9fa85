import { chmod, mkdir, rename, rm, symlink, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { scanSource } from '../../../../main/files/walk/scan.ts';
import { gitignoreFor } from '../../../../main/watch/model/left-out.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { scanAround, scanRule, scanSourceAt } from '../../../../main/watch/scan/scan-rule.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';

let folder: WatchedFolder;
beforeEach(async () => {
  folder = await createWatchedFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** Maps the path of each source to the keys of its files. */
async function sourcesOf(rule: WatchRule): Promise<Record<string, readonly string[]>> {
  const { sources } = await scanRule(rule);
  return Object.fromEntries(sources.map(({ path, files }) => [path, files.map(({ key }) => key)]));
}

const filesRule = (...patterns: readonly string[]) => folder.rule({ unit: { kind: 'files', patterns } });

describe('scanning top-level entries', () => {
  it('finds a subfolder with everything in it, and a file with its sidecars', async () => {
    await folder.put('city/a.gml', 'city/deep/b.gml', 'c.tif', 'c.tfw', 'c.tif.aux.xml', 'd.laz');
    await mkdir(join(folder.path, 'empty'));
    expect(await sourcesOf(folder.rule())).toEqual({
      city: ['a.gml', 'deep/b.gml'],
      'c.tif': ['c.tfw', 'c.tif', 'c.tif.aux.xml'],
      'd.laz': ['d.laz'],
    });
  });

  it('includes files that a model references, and finds no source in its folder of pictures', async () => {
    await folder.write('m.obj', 'mtllib stuff.mtl\nv 0 0 0\n');
    await folder.write('stuff.mtl', 'map_Kd -s 1 1 1 tex\\Wall 1.JPG\nbump lone.png\n');
    await folder.putData('tex/wall 1.jpg', 'tex/unused.jpg', 'lone.png', 'other/a.tif');
    expect(await sourcesOf(folder.rule())).toEqual({
      'm.obj': ['lone.png', 'm.obj', 'stuff.mtl', 'tex/wall 1.jpg'],
      other: ['a.tif'],
    });
  });

  it('reports referenced files that are still missing', async () => {
    await folder.write(
      'm.gltf',
      JSON.stringify({ buffers: [{ uri: 'm.bin' }], images: [{ uri: 'a%20b.png' }] }),
    );
    const [source] = (await scanRule(folder.rule())).sources;
    expect(source?.missing).toEqual(['a b.png', 'm.bin']);
    await folder.putData('m.bin', 'a b.png');
    const [whole] = (await scanRule(folder.rule())).sources;
    expect(whole?.missing).toEqual([]);
    expect(whole?.files.map(({ key }) => key)).toEqual(['a b.png', 'm.bin', 'm.gltf']);
    expect(whole?.digest).not.toBe(source?.digest);
  });

  it('changes the digest, but not the data digest, after a change of permissions', async () => {
    await folder.putData('in/a.tif');
    const [before] = (await scanRule(folder.rule())).sources;
    await chmod(join(folder.path, 'in/a.tif'), 0o640);
    const [after] = (await scanRule(folder.rule())).sources;
    expect(after?.digest).not.toBe(before?.digest);
    expect(after?.dataDigest).toBe(before?.dataDigest);
  });

  it('includes the appearance folder of a city model', async () => {
    await folder.put('town.gml', 'town_appearance/1.jpg', 'town_appearance/deep/2.jpg', 'photos/3.jpg');
    expect(await sourcesOf(folder.rule())).toEqual({
      'town.gml': ['town.gml', 'town_appearance/1.jpg', 'town_appearance/deep/2.jpg'],
      photos: ['3.jpg'],
    });
  });

  it('keeps lone sidecars waiting for their data', async () => {
    await folder.put('a.tfw', 'a.tif.ovr');
    expect(await scanRule(folder.rule())).toMatchObject({ sources: [] });
  });
});

describe('scanning files that match patterns', () => {
  it('finds each match with its sidecars, at any depth', async () => {
    await folder.put('a/x.tif', 'a/x.tfw', 'b/c/y.TIF', 'b/c/y.prj', 'b/c/y.las', 'z.jpg');
    expect(await sourcesOf(filesRule('*.tif'))).toEqual({
      'a/x.tif': ['x.tfw', 'x.tif'],
      'b/c/y.TIF': ['y.TIF', 'y.prj'],
    });
  });

  it('shares a sidecar between sources and creates no source from it', async () => {
    await folder.put('y.tif', 'y.las', 'y.prj');
    expect(await sourcesOf(filesRule('*'))).toEqual({
      'y.las': ['y.las', 'y.prj'],
      'y.tif': ['y.prj', 'y.tif'],
    });
  });

  it('forms keys relative to the nearest common folder of all files', async () => {
    await folder.write('models/m.obj', 'mtllib ../library/m.mtl\n');
    await folder.putData('library/m.mtl');
    expect(await sourcesOf(filesRule('*.obj'))).toEqual({
      'models/m.obj': ['library/m.mtl', 'models/m.obj'],
    });
  });
});

describe('scanning a whole folder', () => {
  it('finds one source with everything except the marker', async () => {
    await folder.put('a.tif', 'deep/b.tif', 'READY!');
    const readyWhen = { kind: 'marker', name: 'READY!' } as const;
    expect(await sourcesOf(folder.rule({ unit: { kind: 'whole-folder' }, readyWhen }))).toEqual({
      '.': ['a.tif', 'deep/b.tif'],
    });
  });
});

describe('scanning with exclusions', () => {
  it('excludes junk, ignored files, finished sources, Tilelift’s own folder and links', async () => {
    await folder.put('in/a.tif', 'in/b.tmp', 'in/c.bak', 'raw/d.tif', 'in/raw/e.tif', 'done/old/f.tif');
    await folder.put('failed/g.tif', '.tilelift/claim', '.git/config', 'h.part');
    await symlink(join(folder.path, 'in'), join(folder.path, 'link'));
    await symlink(join(folder.path, 'in/a.tif'), join(folder.path, 'link.tif'));
    const rule = folder.rule({
      ignore: ['*.bak', '/raw/', '!/done/'],
      afterSuccess: { kind: 'move', folder: 'done' },
      afterFailure: { kind: 'move', folder: join(folder.path, 'failed') },
    });
    expect(await sourcesOf(rule)).toEqual({ in: ['a.tif', 'raw/e.tif'] });
    expect((await scanSourceAt(rule, 'in'))?.files.map(({ key }) => key)).toEqual(['a.tif', 'raw/e.tif']);
    for (const path of ['done', 'link', 'link.tif', 'raw', '.tilelift', 'h.part']) {
      expect(await scanSourceAt(rule, path)).toBeNull();
    }
  });

  it('reports a source with an unreadable folder instead of finding it', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root reads everything');
    await folder.put('in/a.tif', 'in/deep/b.tif', 'ok/c.tif');
    await chmod(join(folder.path, 'in/deep'), 0);
    const { sources, unreadable } = await scanRule(folder.rule());
    expect(sources.map(({ path }) => path)).toEqual(['ok']);
    expect(unreadable).toMatchObject([{ path: join(folder.path, 'in/deep'), source: 'in' }]);
    await expect(scanSourceAt(folder.rule(), 'in')).rejects.toMatchObject({ code: 'source-unreadable' });
    await chmod(join(folder.path, 'in/deep'), 0o755);
  });
});

describe('scanning a missing watched folder', () => {
  it('rejects a missing watched folder instead of finding no sources', async () => {
    const rule = folder.rule({ folder: join(folder.path, 'gone') });
    const scanRuns = [
      () => scanRule(rule),
      () => scanSourceAt(rule, 'a'),
      () => scanAround(rule, [join(rule.folder, 'a')]),
    ];
    for (const runScan of scanRuns) {
      await expect(runScan()).rejects.toMatchObject({ code: 'watch-folder-missing' });
    }
  });
});

describe('the identity of a source', () => {
  const identityOf = async (path: string) => (await scanSourceAt(folder.rule(), path))?.identity;

  it('keeps the identity of a source after a rename or a shift of all times by an hour', async () => {
    await folder.put('a.tif', 'a.tfw', 'b/1.tif', 'b/2.tif');
    for (const name of ['a.tif', 'a.tfw', 'b/1.tif', 'b/2.tif'])
      await utimes(join(folder.path, name), 5_000, 5_000);
    await utimes(join(folder.path, 'b/2.tif'), 5_007, 5_007);
    const [file, sub] = [await identityOf('a.tif'), await identityOf('b')];
    await rename(join(folder.path, 'a.tif'), join(folder.path, 'new.tif'));
    await rename(join(folder.path, 'a.tfw'), join(folder.path, 'new.tfw'));
    await rename(join(folder.path, 'b'), join(folder.path, 'c'));
    expect(await identityOf('new.tif')).toBe(file);
    await utimes(join(folder.path, 'c/1.tif'), 8_600, 8_600);
    await utimes(join(folder.path, 'c/2.tif'), 8_607, 8_607);
    expect(await identityOf('c')).toBe(sub);
    await utimes(join(folder.path, 'c/2.tif'), 8_608, 8_608);
    expect(await identityOf('c')).not.toBe(sub);
  });

  it('ignores derived files in the identity of a source unless it has no others', async () => {
    await folder.put('a.tif', 'b/1.las', 'b/1.prj', 'c/1.tif.ovr');
    const known = async (path: string) => {
      const source = await scanSourceAt(folder.rule(), path);
      return source && [source.identity, source.newestMs, source.dataFingerprint];
    };
    const [file, sub, derived] = [await known('a.tif'), await known('b'), await known('c')];
    await folder.put('a.tif.aux.xml', 'a.tif.ovr', 'b/1.lax', 'b/1.copc.laz', 'c/2.tif.ovr');
    expect(await known('a.tif')).toEqual(file);
    expect(await known('b')).toEqual(sub);
    expect(await known('c')).not.toEqual(derived);
    await folder.put('b/2.las');
    expect(await known('b')).not.toEqual(sub);
  });
});

describe('scanAround()', () => {
  it('finds the top-level entry that contains a change', async () => {
    await folder.put('a/deep/1.tif', 'b/2.tif', 'c.tif', 'c.tfw');
    const at = async (path: string) =>
      (await scanAround(folder.rule(), [join(folder.path, path)])).sources.map((source) => source.path);
    expect(await at('a/deep/1.tif')).toEqual(['a']);
    expect(await at('c.tfw')).toEqual(['c.tif']);
    expect(await at('')).toEqual(['a', 'b', 'c.tif']);
    expect(await at('nothing')).toEqual([]);
    expect(await at('../elsewhere')).toEqual([]);
  });

  it('finds the source of a file, or all sources in a folder', async () => {
    await folder.put('a/1.tif', 'a/deep/2.tif', 'b/3.tif');
    const at = async (path: string) =>
      (await scanAround(filesRule('*.tif'), [join(folder.path, path)])).sources.map((source) => source.path);
    expect(await at('a/1.tif')).toEqual(['a/1.tif']);
    expect(await at('a/1.tfw')).toEqual(['a/1.tif']);
    expect(await at('a/gone.tif')).toEqual([]);
    expect(await at('a')).toEqual(['a/1.tif', 'a/deep/2.tif']);
  });
});

describe('scanning any tree', () => {
  const piece = fc.constantFrom('a', 'b', 'raw', 'done', 'U\u0308', 'a_appearance', '.git', 'x y', '[z]');
  const name = fc.constantFrom(
    ...['a.tif', 'a.tfw', 'a.tif.ovr', 'a.jpg', 'a.prj', 'b.las', 'a.gml', 'u\u0308.tif', 'u\u0308.tfw'],
    ...['~$a.tif', 'b.tmp', 'READY', 'c.bak', 'shape.shp', 'shape.dbf', 'notes.txt'],
  );
  const files = fc.array(
    fc.tuple(fc.array(piece, { maxLength: 3 }), name).map(([folders, file]) => [...folders, file].join('/')),
    { maxLength: 25 },
  );
  const unit = fc.constantFrom<WatchRule['unit']>(
    { kind: 'entries' },
    { kind: 'files', patterns: ['*.tif', 'b/*.jpg', '*.gml', '*.shp'] },
    { kind: 'whole-folder' },
    { kind: 'batch' },
  );
  const lines = [
    '*.bak',
    '/raw/',
    'a/b/',
    'b/*.tif',
    '**/raw/*.las',
    'a/**/b.las',
    '!b/a.tif',
    '\u00fc.tfw',
    'x\\ y/b',
  ];
  const ignore = fc.subarray(lines);

  it('finds the same files in the whole folder, for a job and for one source', async () => {
    await fc.assert(
      fc.asyncProperty(files, unit, ignore, async (names, kind, patterns) => {
        await using one = await createWatchedFolder();
        await one.put(...names);
        const rule = one.rule({
          unit: kind,
          ignore: patterns,
          afterSuccess: { kind: 'move', folder: 'done' },
        });
        const { sources, unreadable } = await scanRule(rule);
        expect(unreadable).toEqual([]);
        for (const source of sources) {
          const { keysFrom } = source;
          const scan = await scanSource(source.paths, { keysFrom, gitignore: gitignoreFor(rule, keysFrom) });
          const found = [...scan.files].sort((a, b) => (a.key < b.key ? -1 : 1));
          // The job also records the identity of each file, which a scan doesn’t need.
          expect(found.map(asSurveyed)).toEqual(source.files.map(asSurveyed));
          expect(scan.bytes).toBe(source.bytes);
          expect(await scanSourceAt(rule, source.path)).toEqual(source);
          expect(basename(keysFrom)).not.toBe('.tilelift');
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

it('scans a large source on its own', async () => {
  await folder.put(
    ...Array.from({ length: 1_200 }, (_, index) => `big/${index % 7}/${index}.tif`),
    'top.tif',
  );
  const source = await scanSourceAt(folder.rule(), 'big');
  expect(source?.files).toHaveLength(1_200);
  const { sources } = await scanRule(folder.rule());
  expect(source).toEqual(sources.find(({ path }) => path === 'big'));
  await rm(join(folder.path, 'big'), { recursive: true });
  expect(await scanSourceAt(folder.rule(), 'big')).toBeNull();
});

function asSurveyed({ path, key, size, mtimeMs }: SourceFile) {
  return { path, key, size, mtimeMs };
}
