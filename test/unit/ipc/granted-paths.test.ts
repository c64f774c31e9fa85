import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createGrantedPaths } from '../../../main/ipc/granted-paths.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { suiteFolder } from '../../temporary-folder.ts';

const folder = suiteFolder();
const at = (...names: string[]) => join(folder, ...names);
beforeAll(() => {
  for (const name of ['town', 'town2', 'private']) mkdirSync(at(name));
  for (const name of ['town/a.gml', 'town2/b.gml', 'private/key']) writeFileSync(at(name), 'x');
  symlinkSync(at('private'), at('town', 'out'));
});

const granted = (...paths: string[]) => {
  const grantedPaths = createGrantedPaths(() => []);
  grantedPaths.grant(paths);
  return grantedPaths;
};

it('createGrantedPaths() accepts granted paths and those below', async () => {
  const paths = granted(at('town'));
  await expect(paths.check([at('town'), at('town', 'a.gml'), `${at('town')}/`])).resolves.toBeUndefined();
  await expect(paths.check([at('town', 'not-there-yet')])).resolves.toBeUndefined();
});

it.each([
  ['beside it', () => at('private', 'key')],
  ['above it', () => folder],
  ['of a name that only begins like it', () => at('town2', 'b.gml')],
  ['that leads out by dots', () => `${at('town')}/../private/key`],
  ['that leads out by a link', () => at('town', 'out', 'key')],
])('S56: createGrantedPaths() refuses a path %s and names it', async (_where, path) => {
  const refusal = granted(at('town')).check([at('town'), path()]);
  await expect(refusal).rejects.toMatchObject({ code: 'path-not-given', subject: path() });
  await expect(refusal).rejects.toThrow(path());
});

it('createGrantedPaths() accepts the folder of a stored rule and its move target', async () => {
  const rule = aWatchRule({ folder: at('town'), afterSuccess: { kind: 'move', folder: '../town2' } });
  const paths = createGrantedPaths(() => [rule]);
  await expect(paths.check([at('town'), at('town2')])).resolves.toBeUndefined();
  await expect(paths.check([at('private')])).rejects.toMatchObject({ code: 'path-not-given' });
});

it('createGrantedPaths() accepts the whole drive only when granted', async () => {
  await expect(granted('/').check([at('private', 'key')])).resolves.toBeUndefined();
  await expect(granted('relative').check(['/relative'])).rejects.toMatchObject({ code: 'path-not-given' });
});
