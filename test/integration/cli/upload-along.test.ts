import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../../main/cli/output.ts';
import { beginningOf } from '../../unit/inspect/together/beginnings.ts';
import { type CliHouse, cliHouse, jsonLines, signedInHouse } from './run-cli.ts';

/** A model that names a texture, its buffer and a private key. */
async function tower(folder: string) {
  await mkdir(join(folder, 'data/.ssh'), { recursive: true });
  await mkdir(join(folder, 'data/tex'));
  const write = (name: string, content: string | Buffer) => writeFile(join(folder, 'data', name), content);
  await write('.ssh/id_ed25519', 'secret');
  await write('tex/wall.png', beginningOf('wall.png'));
  await write('tower.bin', beginningOf('tower.bin'));
  const images = ['.ssh/id_ed25519', 'tex/wall.png'].map((uri) => ({ uri }));
  const model = { asset: { version: '2.0' }, buffers: [{ uri: 'tower.bin', byteLength: 4 }], images };
  await write('tower.gltf', JSON.stringify(model));
  return join(folder, 'data/tower.gltf');
}

const storedKeys = async ({ service }: CliHouse) => {
  const [asset] = service.control.assets();
  const prefix = `sources/${asset?.id}/`;
  return (await service.control.objects(prefix)).map(({ key }) => key.slice(prefix.length)).sort();
};

it('S27: tilelift upload of a single model, unattended includes sidecars, and lists left-out referenced files and how to include them', async () => {
  const house = await signedInHouse();
  const model = await tower(house.folder);

  const { code, stdout, stderr } = await house.run(['upload', model, '--json']);

  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(await storedKeys(house)).toEqual(['tower.bin', 'tower.gltf']);
  expect(stderr).toContain('Included: tower.bin\n');
  const path = join(house.folder, 'data/tex/wall.png');
  expect(stderr).toContain(`is only named in the data: ${path}\n`);
  expect(stderr).toContain(`enter the folder instead: ${join(house.folder, 'data')}\n`);
  expect(stderr).not.toContain('id_ed25519');
  expect(jsonLines(stdout).find(({ event }) => event === 'upload')).toMatchObject({
    along: ['tower.bin'],
    leftOut: [{ path, reason: 'named-only' }],
  });
});

it('S63: tilelift upload of a single model, unattended skips and names a file whose name is not UTF-8, and uploads the rest', async ({
  skip,
}) => {
  const house = await cliHouse();
  const folder = join(house.folder, 'city');
  await mkdir(folder);
  const invalidPath = Buffer.concat([
    Buffer.from(`${folder}/Gel`),
    Buffer.from([0xe4]),
    Buffer.from('nde.jpg'),
  ]);
  const isKept = await writeFile(invalidPath, 'x').then(
    () => process.platform === 'linux',
    () => false,
  );
  skip(!isKept, 'this file system refuses names that are not UTF-8');
  await house.signIn();
  await writeFile(join(folder, 'a.gml'), '<CityModel xmlns="http://www.opengis.net/citygml/2.0"/>');

  const { code, stdout, stderr } = await house.run(['upload', folder, '--source-type', 'CITYGML', '--json']);

  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(await storedKeys(house)).toEqual(['a.gml']);
  const path = join(folder, 'Gel\\xE4nde.jpg');
  expect(stderr).toContain(`its name is not UTF-8: ${path}\n`);
  expect(jsonLines(stdout).find(({ event }) => event === 'upload')).toMatchObject({
    leftOut: [{ path, reason: 'name-not-utf8' }],
  });
});

describe('createOutput().isWatched', () => {
  const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const isWatched = (json: boolean, ...[stdin, stdout, stderr]: readonly boolean[]) =>
    createOutput({
      ...{ stdin: stream(stdin === true), stdout: stream(stdout === true), stderr: stream(stderr === true) },
      ...{ env: {}, json, clock: () => 0 },
    }).isWatched;

  it('createOutput().isWatched is true only on a terminal without --json and redirection', () => {
    expect(isWatched(false, true, true, true)).toBe(true);
    expect(isWatched(true, true, true, true)).toBe(false);
    for (const at of [0, 1, 2]) expect(isWatched(false, at !== 0, at !== 1, at !== 2)).toBe(false);
  });
});
