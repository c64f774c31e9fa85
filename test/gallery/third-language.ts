import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import german from '../../strings/de.json' with { type: 'json' };
import english from '../../strings/en.json' with { type: 'json' };
import { pseudoCatalogue, pseudoTag } from './pseudo-locale.ts';

const root = join(import.meta.dirname, '..', '..');
const rooms = [
  'docs',
  'gallery',
  'main',
  'preload',
  'renderer',
  'scripts',
  'shared',
  'strings',
  'package.json',
];

/** A copy of the source that differs only by an added language file. */
export async function withThirdLanguage(): Promise<AsyncDisposable & { readonly root: string }> {
  const copy = await mkdtemp(join(tmpdir(), 'tilelift-third-language-'));
  for (const room of rooms) await cp(join(root, room), join(copy, room), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  await writeFile(
    join(copy, 'strings', `${pseudoTag}.json`),
    JSON.stringify(pseudoCatalogue(english, [german])),
  );
  return { root: copy, [Symbol.asyncDispose]: () => rm(copy, { recursive: true, force: true }) };
}
