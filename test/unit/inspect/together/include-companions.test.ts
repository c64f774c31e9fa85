import { expect, it } from 'vitest';
import type { Companions } from '../../../../main/inspect/together/companions.ts';
import { includeCompanions } from '../../../../main/inspect/together/include-companions.ts';

const at = (name: string) => `/data/${name}`;
const companions = (
  companionsByPath: Readonly<Record<string, Partial<Record<keyof Companions, readonly string[]>>>>,
) => {
  return async (_folder: string, names: readonly string[]) =>
    new Map(
      names.map((name) => {
        const { neighbors = [], references = [] } = companionsByPath[name] ?? {};
        return [name, { neighbors: neighbors.map(at), references: references.map(at) }];
      }),
    );
};

it('takeAlong() includes sidecars, but no notes with the same name', async () => {
  const findCompanions = companions({
    'a.tif': { neighbors: ['a.tfw', 'a.prj', 'a.tif.aux.xml', 'a.pdf', 'a.txt', 'a.xml'] },
  });
  expect(await includeCompanions([at('a.tif')], findCompanions)).toEqual({
    paths: ['a.tif', 'a.tfw', 'a.prj', 'a.tif.aux.xml'].map(at),
    taken: ['a.tfw', 'a.prj', 'a.tif.aux.xml'].map(at),
    leftBehind: [],
  });
});

it('takeAlong() includes files that a model names, by the folder next to the model', async () => {
  const findCompanions = companions({
    'k.obj': { neighbors: ['k.mtl'], references: ['textures/wall/1.jpg', 'textures/2.jpg'] },
  });
  expect(await includeCompanions([at('k.obj')], findCompanions)).toEqual({
    paths: ['k.obj', 'k.mtl', 'textures'].map(at),
    taken: ['k.mtl', 'textures/wall/1.jpg', 'textures/2.jpg'].map(at),
    leftBehind: [],
  });
});

it('takeAlong() includes nothing already dropped, and nothing for a folder', async () => {
  const findCompanions = companions({ 'k.obj': { neighbors: ['k.mtl'], references: ['textures/2.jpg'] } });
  const droppedPaths = ['k.obj', 'k.mtl', 'textures'].map(at);
  expect(await includeCompanions(droppedPaths, findCompanions)).toEqual({
    paths: droppedPaths,
    taken: [],
    leftBehind: [],
  });
});

it('S26: takeAlong() includes only sidecars unattended, and lists referenced files as left behind', async () => {
  const findCompanions = companions({
    'k.obj': { neighbors: ['k.mtl'], references: ['k.mtl', 'textures/2.jpg'] },
  });
  expect(await includeCompanions([at('k.obj')], findCompanions, true)).toEqual({
    paths: ['k.obj', 'k.mtl'].map(at),
    taken: ['k.mtl'].map(at),
    leftBehind: [at('textures/2.jpg')],
  });
  const droppedPaths = ['k.obj', 'textures'].map(at);
  expect(await includeCompanions(droppedPaths, findCompanions, true)).toMatchObject({
    taken: [at('k.mtl')],
    leftBehind: [],
  });
});
