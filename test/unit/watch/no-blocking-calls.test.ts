import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../main');
/** Workers may block, since they run in separate threads. */
const ownThread = /-worker\.ts$/;

/** Also used on watched folders. */
const shared = ['held-folder', 'held-files', 'move-entry', 'drive', 'folder-presence', 'folder-events'];

it('main/watch makes no synchronous calls, since a dead drive blocks them for minutes', async () => {
  const files = await readdir(join(root, 'watch'), { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts') && !ownThread.test(file));
  expect(sources.length).toBeGreaterThan(50);
  for (const name of [...shared, 'open-for-writing', 'checksum-lists/list-reader'])
    sources.push(`../files/${name}.ts`);
  const blocking: string[] = [];
  for (const file of sources) {
    const calls = (await readFile(join(root, 'watch', file), 'utf8')).match(/\b\w+Sync\(/g) ?? [];
    blocking.push(...calls.map((call) => `${file}: ${call}`));
  }
  expect(blocking).toEqual([]);
});
