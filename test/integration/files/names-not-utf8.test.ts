import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { scanSource } from '../../../main/files/walk/scan.ts';
import { scanRule, scanSourceAt, unreadableError } from '../../../main/watch/scan/scan-rule.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let root: string;
beforeEach(async () => {
  root = temporaryFolder();
});

const bytesOf = (place: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(place, 'latin1')]);
const write = (place: string) => writeFile(bytesOf(place), 'x');

/** Whether this file system accepts such names; APFS and Windows refuse them. */
const keepsAnyBytes = await (async () => {
  const folder = await mkdtemp(join(tmpdir(), 'not-utf8-'));
  try {
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe4])]), '');
    return process.platform === 'linux';
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
})();
if (!keepsAnyBytes) console.warn('skipped: this file system refuses names that are not UTF-8');

describe.skipIf(!keepsAnyBytes)('name that is not UTF-8', () => {
  it('name that is not UTF-8: skips it silently if its file is ignored anyway', async () => {
    for (const place of ['a.tif', 'Gel\xe4nde.tmp']) await write(place);
    expect(await scanSource([root])).toMatchObject({ notUtf8: [], ignored: [join(root, 'Gel\\xE4nde.tmp')] });
  });

  it('name that is not UTF-8: reports it if the source has no other file', async () => {
    await write('Gel\xe4nde.tif');
    await expect(scanSource([root])).rejects.toMatchObject({
      code: 'source-name-not-utf8',
      subject: { names: [join(root, 'Gel\\xE4nde.tif')] },
    });
    await expect(scanSource([bytesOf('Gel\xe4nde.tif').toString()])).rejects.toMatchObject({
      code: 'source-name-not-utf8',
    });
  });

  it.each([
    ['a folder with such a file', { kind: 'entries' } as const, 'good/Gel\xe4nde.jpg', 'good'],
    ['such a folder', { kind: 'entries' } as const, 'Stra\xdfe/a.jpg', 'Stra\\xDFe'],
    ['such a file', { kind: 'files', patterns: ['*.jpg'] } as const, 'Gel\xe4nde.jpg', 'Gel\\xE4nde.jpg'],
  ])(
    'name that is not UTF-8: keeps a source of a watched folder waiting, with the reason: %s',
    async (_what, unit, place, path) => {
      if (place.includes('/')) await mkdir(bytesOf(place.slice(0, place.lastIndexOf('/'))));
      await write(place);
      await write('other.jpg');
      const rule = aWatchRule({ folder: root, unit });
      const { sources, unreadable: unreadableFiles } = await scanRule(rule);
      expect(sources.map((source) => source.path)).toEqual(['other.jpg']);
      expect(unreadableFiles.map((source) => [source.source, unreadableError(source).code])).toEqual([
        [path, 'source-name-not-utf8'],
      ]);
      await expect(scanSourceAt(rule, path)).rejects.toMatchObject({ code: 'source-name-not-utf8' });
    },
  );
});
