import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { performTask } from '../../../../main/inspect/headers/inspection-tasks.ts';
import { findCompanions } from '../../../../main/inspect/together/companions.ts';
import { createReferences } from '../../../../main/inspect/together/references.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { hfaWithOutside } from '../formats/sample-files.ts';
import { beginningOf } from './beginnings.ts';

let root = '';
beforeEach(() => {
  root = temporaryFolder();
});

const thread = {
  ask: async (task: Parameters<typeof performTask>[0]) => (await performTask(task)) as never,
  close: () => {},
};
const references = createReferences(thread, 'dropped');

async function write(files: Readonly<Record<string, string | Buffer>>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

/** Files with the magic bytes of their extensions. */
const data = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, beginningOf(name)]));

/** Relative to the folder of the file. */
async function companionsOf(file: string) {
  const folder = dirname(join(root, file));
  const found = (await findCompanions(folder, [relative(folder, join(root, file))], references)).values();
  const { neighbors = [], references: named = [] } = found.next().value ?? {};
  const shortPaths = (paths: readonly string[]) => paths.map((path) => relative(folder, path));
  return { beside: shortPaths(neighbors), named: shortPaths(named) };
}

it('files along with a single file include its sidecars by name', async () => {
  await write({ 'a.tif': '', 'a.tfw': '', 'a.tif.aux.xml': '', 'b.tfw': '', 'a.jpg': '' });
  expect(await companionsOf('a.tif')).toEqual({ beside: ['a.tfw', 'a.tif.aux.xml'], named: [] });
});

it('files along with a single file include referenced files in its folder and below, recursively', async () => {
  await write({
    'm/a.obj': 'mtllib lib/b.mtl\n',
    'm/lib/b.mtl': 'map_Kd ../textures/wall.jpg\nmap_Ks roof.jpg\nmap_Ka gone.jpg\n',
    ...data('m/textures/wall.jpg', 'm/roof.jpg', 'm/unnamed.jpg'),
  });
  expect(await companionsOf('m/a.obj')).toEqual({
    beside: [],
    named: ['lib/b.mtl', 'textures/wall.jpg', 'roof.jpg'],
  });
});

it('files along with a single file include the pixel file of an ERDAS image', async () => {
  await write({
    'a.img': hfaWithOutside('pixels of old.ige'),
    ...data('pixels of old.ige'),
    'b.img': hfaWithOutside('gone.ige'),
    'c.img': hfaWithOutside('D:\\data\\a.ige'),
    'd.img': 'none of it',
  });
  expect(await companionsOf('a.img')).toEqual({ beside: [], named: ['pixels of old.ige'] });
  for (const name of ['b.img', 'c.img', 'd.img'])
    expect(await companionsOf(name)).toEqual({ beside: [], named: [] });
});

it('S25: files along with a single file exclude files above its folder, absolute paths and links', async () => {
  await write({
    ...data('above.jpg', 'else/in.jpg'),
    'm/a.mtl': [
      'map_Kd ../above.jpg',
      `map_Ks ${join(root, 'above.jpg')}`,
      `map_Ka file://${join(root, 'above.jpg')}`,
      'map_Ke link.jpg',
      'map_d folder/in.jpg',
      'map_Ns sub/../../above.jpg',
    ].join('\n'),
  });
  await symlink('../above.jpg', join(root, 'm/link.jpg'));
  await symlink('../else', join(root, 'm/folder'));
  await symlink('../above.jpg', join(root, 'm/a.prj'));
  expect(await companionsOf('m/a.mtl')).toEqual({ beside: [], named: [] });
});

it('files along with a single file include a picture by name for a foreign path, never the file at that path', async () => {
  await write({
    ...data('above.jpg', 'm/wall.jpg', 'm/roof.jpg', 'm/door.png', 'm/step.jpg', 'm/web.jpg'),
    'm/a.obj': 'mtllib /home/me/lib/a.mtl\n',
    'm/a.mtl': [
      'map_Kd /home/me/tex/wall.jpg',
      'map_Ks C:\\tex\\roof.jpg',
      'map_Ka file:///D:/tex/door.png',
      'map_Ke \\\\server\\tex\\step.jpg',
      'map_d http://tex.example/web.jpg',
      `map_Ns ${join(root, 'above.jpg')}`,
    ].join('\n'),
    'm/scene.vrt': '<SourceFilename relativeToVRT="0">/home/me/wall.jpg</SourceFilename>',
  });
  const textureNames = ['wall.jpg', 'roof.jpg', 'door.png', 'step.jpg'];
  expect(await companionsOf('m/a.obj')).toEqual({ beside: ['a.mtl'], named: textureNames });
  expect((await companionsOf('m/scene.vrt')).named).toEqual([]);
  // A rule would wait for missing files.
  const watchedReferences = createReferences(thread, 'watched');
  const stats = { path: join(root, 'm/a.mtl'), place: 'm/a.mtl', size: 400, mtimeMs: 0 };
  expect(await watchedReferences.read(stats)).toEqual([]);
});

it('files along with a single file are empty when the folder can’t be read', async () => {
  expect(await companionsOf('gone/a.tif')).toEqual({ beside: [], named: [] });
});

it('files along with a single file end when files reference each other', async () => {
  await write({ 'a.kml': '<kml><href>b.kml</href></kml>', 'b.kml': '<kml><href>a.kml</href></kml>' });
  expect(await companionsOf('a.kml')).toEqual({ beside: [], named: ['b.kml'] });
});
