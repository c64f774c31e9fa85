import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { scanAround, scanRule, scanSourceAt } from '../../../../main/watch/scan/scan-rule.ts';
import { openWatchFixture } from '../fixture.ts';
import { createWatchedFolder } from '../watched-folder.ts';

const atDepth = (depth: number, ...patterns: readonly string[]): Pick<WatchRule, 'unit'> => ({
  unit: { kind: 'folders', depth, patterns },
});
const pathsOf = ({ sources }: { sources: readonly { path: string }[] }) => sources.map(({ path }) => path);

describe('folders at a depth', () => {
  it('finds folders at a depth with everything inside, and skips files above them', async () => {
    await using folder = await createWatchedFolder();
    await folder.put(
      '2024/11/21/kai/a.jpg',
      '2024/11/21/kai/raw/b.jpg',
      '2024/11/21/ufer/a.jpg',
      '2024/11/22/kai/a.jpg',
      '2024/11/21/notes.txt',
      'readme.txt',
    );
    await mkdir(join(folder.path, '2024/11/23/empty'), { recursive: true });
    const survey = await scanRule(folder.rule(atDepth(4)));
    expect(pathsOf(survey)).toEqual(['2024/11/21/kai', '2024/11/21/ufer', '2024/11/22/kai']);
    expect(survey.sources[0]?.files.map(({ key }) => key)).toEqual(['a.jpg', 'raw/b.jpg']);
    expect(survey.sources[0]?.keysFrom).toBe(join(folder.path, '2024/11/21/kai'));
    expect(pathsOf(await scanRule(folder.rule(atDepth(1))))).toEqual(['2024']);
  });

  it('finds only folders that match the patterns of the rule', async () => {
    await using folder = await createWatchedFolder();
    await folder.put(
      '2024/a/flight_1/x.jpg',
      '2024/a/notes/x.jpg',
      'old/a/flight_2/x.jpg',
      '2024/flight_3/x/y.jpg',
    );
    const found = async (...patterns: readonly string[]) =>
      pathsOf(await scanRule(folder.rule(atDepth(3, ...patterns))));
    expect(await found('20*/**/flight_*')).toEqual(['2024/a/flight_1', '2024/flight_3/x']);
    expect(await found('*/*/flight_*')).toEqual(['2024/a/flight_1', 'old/a/flight_2']);
    expect(await found('/2024/a/*', '!/2024/a/notes')).toEqual(['2024/a/flight_1']);
  });

  it('finds a folder by a change inside or above it, and by its path', async () => {
    await using folder = await createWatchedFolder();
    await folder.put('2024/11/kai/raw/a.jpg', '2024/11/ufer/a.jpg', '2024/12/kai/a.jpg', '2024/11/notes.txt');
    const rule = folder.rule(atDepth(3));
    const around = async (place: string) => pathsOf(await scanAround(rule, [join(folder.path, place)]));
    expect(await around('2024/11/kai/raw/a.jpg')).toEqual(['2024/11/kai']);
    expect(await around('2024/11/kai')).toEqual(['2024/11/kai']);
    expect(await around('2024/11')).toEqual(['2024/11/kai', '2024/11/ufer']);
    expect(await around('2024/11/notes.txt')).toEqual([]);
    expect((await scanSourceAt(rule, '2024/12/kai'))?.path).toBe('2024/12/kai');
    expect(await scanSourceAt(rule, '2024/12')).toBeNull();
    expect(await scanSourceAt(rule, '2024/11/kai/raw')).toBeNull();
  });

  it('finds all files of a large folder, which threads scan', async () => {
    await using folder = await createWatchedFolder();
    await folder.put(
      ...Array.from({ length: 1_200 }, (_, index) => `2024/11/kai/${index}.jpg`),
      '2024/11/ufer/a.jpg',
    );
    const rule = folder.rule(atDepth(3));
    const [found] = (await scanAround(rule, [join(folder.path, '2024/11/kai/7.jpg')])).sources;
    expect(found).toMatchObject({ path: '2024/11/kai' });
    expect(found?.files).toHaveLength(1_200);
    expect((await scanSourceAt(rule, '2024/11/kai'))?.files).toHaveLength(1_200);
  });

  it('creates an asset named after the path of each folder, and moves it with its parents', async () => {
    const fixture = await openWatchFixture();
    try {
      const rule = await fixture.rule({
        ...atDepth(3),
        namePattern: '{path} of {parent}',
        afterSuccess: { kind: 'move', folder: 'done' },
      });
      await fixture.write({ '2024/11/kai/a.jpg': 100, '2024/12/kai/a.jpg': 200, '2024/11/notes.txt': 10 });
      await fixture.untilComplete(rule, '2024/11/kai');
      const { movedTo } = await fixture.untilComplete(rule, '2024/12/kai');
      expect([...fixture.statuses()].sort()).toEqual([
        '2024/11/kai of 11 COMPLETE',
        '2024/12/kai of 12 COMPLETE',
      ]);
      expect(movedTo).toContain(join(fixture.incoming, 'done/2024/12/kai'));
      // A day later another folder arrives in a remaining parent folder.
      await rm(join(fixture.incoming, 'done'), { recursive: true });
      await fixture.write({ '2024/12/ufer/a.jpg': 300 });
      await fixture.untilComplete(rule, '2024/12/ufer');
      expect(fixture.statuses()).toHaveLength(3);
    } finally {
      await fixture.close();
    }
  });

  it('creates no second asset after a parent folder is renamed', async () => {
    const fixture = await openWatchFixture();
    try {
      const rule = await fixture.rule(atDepth(2));
      await fixture.write({ 'tuesday/kai/a.jpg': 100 });
      await fixture.untilComplete(rule, 'tuesday/kai');
      await rename(join(fixture.incoming, 'tuesday'), join(fixture.incoming, 'wednesday'));
      await fixture.untilComplete(rule, 'wednesday/kai');
      expect(fixture.statuses()).toHaveLength(1);
    } finally {
      await fixture.close();
    }
  });
});
