import { createHash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../main/files/model.ts';
import { scanInPages, scanSource } from '../../../main/files/walk/scan.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type House, hasStatus, openHouse } from '../jobs/house.ts';

const posix = process.platform !== 'win32';

/** Names by their peculiarity. Names that Windows forbids are only used on other systems. */
const oddNames: Readonly<Record<string, string>> = {
  'a space': 'a b  c .gml',
  'a number sign': 'block#7.gml',
  'a percent sign': '100%.gml',
  'what looks like an escape': 'a%20b%2Fc.gml',
  'a plus sign': 'a+b.gml',
  'quotes and an apostrophe': posix ? `"it's".gml` : "it's.gml",
  'a question mark and a star': posix ? 'what?*.gml' : 'what!.gml',
  'an ampersand and angle brackets': posix ? '<a>&amp;.gml' : '&amp;.gml',
  emoji: '🗺️ Karte 👩‍👩‍👧.gml',
  'another script': '地図.gml',
  'decomposed Unicode': 'U\u0308ber\u00df.gml',
  'a backslash': posix ? 'C:\\data\\a.gml' : 'plain.gml',
  'a leading dot': '.hidden.gml',
  'a leading dash': '-rf.gml',
  'no ending': 'Makefile',
  'a colon and a tilde': posix ? '12:30~.gml' : '12~30.gml',
  '255 bytes': `${'ä'.repeat(125)}x.gml`,
};

let root: string;

beforeEach(async () => {
  root = temporaryFolder();
});

async function writeNamed(name: string, content = name): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), content);
}

describe('key of a name with', () => {
  it.each(Object.entries(oddNames))('%s keeps the name in NFC', async (_what, name) => {
    await writeNamed(`data/${name}`);
    const { files } = await scanSource([join(root, 'data')]);
    expect(Array.from(files, ({ key }) => key)).toEqual([name.normalize('NFC')]);
    expect(Array.from(files, ({ path }) => basename(path))).toEqual([name]);
  });

  describe('all these names', () => {
    let house: House;
    afterEach(() => house.close());

    it('files with special names arrive in storage under their keys, byte for byte', async () => {
      house = await openHouse();
      const source = await house.source(
        Object.fromEntries(Object.values(oddNames).map((name) => [`sub #1/${name}`, name])),
      );
      const job = await house.until(house.add(source), hasStatus('complete'));

      const objects = await house.service.control.objects(`sources/${job.assetId}/`);
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
      expect(Object.fromEntries(objects.map((object) => [object.key, object.sha256]))).toEqual(
        Object.fromEntries(
          Object.values(oddNames).map((name) => [
            `sources/${job.assetId}/sub #1/${name.normalize('NFC')}`,
            sha256(name),
          ]),
        ),
      );
    });
  });
});

it.each([
  ['two spellings of one name', ['data/\u00dc.gml', 'data/U\u0308.gml'], ['data']],
  ['two spellings of one folder', ['data/\u00dcber/a.gml', 'data/U\u0308ber/a.gml'], ['data']],
  ['two dropped folders of one name', ['one/data/a.gml', 'two/data/a.gml'], ['one/data', 'two/data']],
])(
  'colliding keys: rejects colliding keys in %s with an error that names both files',
  async (_, files, droppedNames) => {
    for (const file of files) await writeNamed(file);
    await expect(scanSource(droppedNames.map((name) => join(root, name)))).rejects.toMatchObject({
      code: 'source-keys-collide',
      message: expect.stringMatching(/data\/.* and .*data\//),
    });
  },
);

it('colliding keys: accepts names that differ only in case', async () => {
  await writeNamed('data/a.gml');
  await writeNamed('data/A.GML');
  const { files } = await scanSource([join(root, 'data')]);
  expect(Array.from(files, ({ key }) => key).sort()).toEqual(['A.GML', 'a.gml']);
});

describe('streaming scan', () => {
  const collect = async (...droppedPaths: readonly string[]) => {
    const foundFiles: SourceFile[] = [];
    const scan = await scanInPages(droppedPaths, (files) => void foundFiles.push(...files));
    return { scan, found: foundFiles.sort((a, b) => (a.key < b.key ? -1 : 1)) };
  };

  it('the streaming scan finds the same files as a collecting scan', async () => {
    for (let index = 0; index < 1_200; index++) await writeNamed(`data/many/${index}.jpg`);
    await writeNamed('data/Über/a.gml');
    await writeNamed('other/b.gml');
    await symlink('/nowhere', join(root, 'data/link'));
    for (const droppedNames of [['data'], ['data', 'other'], ['data/Über/a.gml']]) {
      const paths = droppedNames.map((name) => join(root, name));
      const { files, bytes, links } = await scanSource(paths);
      const { scan, found: foundFiles } = await collect(...paths);
      const bare = (files: Iterable<SourceFile>) =>
        Array.from(files, (file) => ({ ...file, identity: { ...file.identity, fileId: null } }));
      expect(bare(foundFiles)).toEqual(bare(files).sort((a, b) => (a.key < b.key ? -1 : 1)));
      // An inspection needs no file ids.
      expect(foundFiles.every(({ identity }) => identity?.fileId)).toBe(true);
      const inFolders = [...files].filter(({ path }) => !paths.includes(path));
      expect(inFolders.filter(({ identity }) => identity?.fileId)).toEqual([]);
      expect(scan).toEqual({ files: files.length, bytes, links: links?.length, doubtful: new Set() });
    }
  });

  it.each([
    [
      'in two spellings of one folder',
      ['data/\u00dcber/a.gml', 'data/U\u0308ber/a.gml'],
      ['data'],
      'Über/a.gml',
    ],
    ['in two spellings of one name', ['data/\u00dc.gml', 'data/U\u0308.gml'], ['data'], 'Ü.gml'],
    [
      'from two folders of one name',
      ['one/data/a.gml', 'two/data/a.gml'],
      ['one/data', 'two/data'],
      'data/a.gml',
    ],
  ])('the streaming scan names the key that two files share: %s', async (_what, names, droppedNames, key) => {
    for (const name of names) await writeNamed(name);
    const { scan, found: foundFiles } = await collect(...droppedNames.map((name) => join(root, name)));
    expect(scan.doubtful).toEqual(new Set([key.normalize('NFC')]));
    expect(foundFiles).toHaveLength(2);
  });

  it('the streaming scan names the key of a file that nested entries contain twice', async () => {
    await writeNamed('data/in/a.gml');
    const paths = [join(root, 'data'), join(root, 'data/in')];
    const { doubtful: doubtfulKeys } = await scanInPages(paths, () => {}, { keysFrom: root });
    expect(doubtfulKeys).toEqual(new Set(['data/in/a.gml']));
  });

  it('the streaming scan keeps at most a thousand colliding keys', async () => {
    for (let index = 0; index < 1_100; index++)
      for (const name of ['one', 'two']) await writeNamed(`${name}/data/${index}.gml`);
    const { scan, found: foundFiles } = await collect(join(root, 'one/data'), join(root, 'two/data'));
    expect([scan.doubtful.size, foundFiles.length]).toEqual([1_000, 2_200]);
  });

  it('the streaming scan keeps no keys that could collide but don’t: decomposed names, equal folders, a watched folder', async () => {
    await writeNamed('one/data/U\u0308.gml');
    await writeNamed('two/data/b.gml');
    const [firstFolder, secondFolder] = [join(root, 'one/data'), join(root, 'two/data')];
    const expectedCounts = { files: 2, bytes: expect.any(Number), links: 0, doubtful: new Set() };
    expect((await collect(firstFolder, secondFolder)).scan).toEqual(expectedCounts);
    const files = [join(firstFolder, 'U\u0308.gml'), join(secondFolder, 'b.gml')];
    expect(await scanInPages(files, () => {}, { keysFrom: root })).toEqual(expectedCounts);
  });

  it('the streaming scan rejects with the error that its file handler throws', async () => {
    await writeNamed('data/a.gml');
    const throwFull = () => {
      throw new Error('no room');
    };
    await expect(scanInPages([join(root, 'data')], throwFull)).rejects.toThrow('no room');
  });

  it('the streaming scan rejects what a collecting scan rejects', async () => {
    await mkdir(join(root, 'data'));
    await expect(collect(join(root, 'data'))).rejects.toMatchObject({ code: 'source-empty' });
    await writeNamed(`data/${'long/'.repeat(200)}a.gml`);
    await expect(collect(join(root, 'data'))).rejects.toMatchObject({ code: 'source-name-too-long' });
  });
});

it('path that is too long for storage: reports it before any upload', async () => {
  const deepPath = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(100)).join('/');
  await writeNamed(`data/${deepPath}/a.gml`);
  await expect(scanSource([join(root, 'data')])).rejects.toMatchObject({
    code: 'source-name-too-long',
    message: expect.stringContaining('a.gml'),
  });
});
