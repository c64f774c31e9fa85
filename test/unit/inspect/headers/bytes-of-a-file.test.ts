import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { maxBytes } from '../../../../main/inspect/formats/base/file-bytes.ts';
import {
  type FileAccess,
  readHeaderOf,
  realFiles,
} from '../../../../main/inspect/headers/inspection-tasks.ts';
import { maxSidecarBytes } from '../../../../main/inspect/headers/read-header.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { townGrid } from '../changes/town-grid.ts';
import { tiffFile } from '../formats/sample-heads.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Counts the bytes read from each file. */
function countedFiles(): { readonly files: FileAccess; readonly read: ReadonlyMap<string, number> } {
  const names = new Map<number, string>();
  const read = new Map<string, number>();
  const files: FileAccess = {
    ...realFiles,
    open: (path) => {
      const file = realFiles.open(path);
      names.set(file, path);
      return file;
    },
    read: (file, target, at) => {
      const name = names.get(file) ?? '';
      read.set(name, (read.get(name) ?? 0) + target.length);
      return realFiles.read(file, target, at);
    },
  };
  return { files, read };
}

/** A picture with segments over more than a megabyte. */
const longPicture = Buffer.concat([
  Buffer.from([0xff, 0xd8]),
  ...Array.from({ length: 300 }, () =>
    Buffer.concat([Buffer.from([0xff, 0xed, 0x13, 0x8a]), Buffer.alloc(5_000)]),
  ),
  Buffer.from([0xff, 0xd9]),
]);

it('an inspection reads a limited part of a file, whatever the file requests', async () => {
  const path = join(folder, 'a.jpg');
  await writeFile(path, longPicture);
  const { files, read } = countedFiles();
  await readHeaderOf({ kind: 'head', key: 'a.jpg', path, sidecars: [] }, files);
  expect(read.get(path)).toBeGreaterThan(maxBytes / 2);
  expect(read.get(path)).toBeLessThanOrEqual(maxBytes);
});

it('an inspection reads only the needed part of a sidecar', async () => {
  const [path, sidecarPath] = [join(folder, 'a.tif'), join(folder, 'a.tif.aux.xml')];
  await writeFile(path, tiffFile());
  await writeFile(sidecarPath, Buffer.alloc(1_000_000, 32));
  const { files, read } = countedFiles();
  await readHeaderOf(
    { kind: 'head', key: 'a.tif', path, sidecars: [{ path: sidecarPath, kind: 'pam' }] },
    files,
  );
  expect(read.get(sidecarPath)).toBe(maxSidecarBytes);
});

it('an inspection returns the text of an unread sidecar that may be copied', async () => {
  const [path, hint] = [join(folder, 'a.tif'), join(folder, 'a.prj')];
  await writeFile(path, tiffFile({}));
  const answerFor = async (words: string) => {
    await writeFile(hint, words);
    return readHeaderOf({ kind: 'head', key: 'a.tif', path, sidecars: [], hint });
  };
  expect(await answerFor(`${townGrid}\r\n`)).toMatchObject({
    hint: 'Town_Grid_<1911>_&_after',
    hintWkt: townGrid,
  });
  const compound = `COMPD_CS["both",${townGrid},VERT_CS["heights",UNIT["m",1]]]`;
  expect(await answerFor(compound)).not.toHaveProperty('hintWkt');
  expect(await answerFor('no system')).not.toHaveProperty('hint');
});
