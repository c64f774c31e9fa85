import { expect, it } from 'vitest';
import type { SourceFile } from '../../../main/files/model.ts';
import { readNamed } from '../../../main/inspect/grouping/read-named.ts';
import { inspectSource } from '../../../main/inspect/inspect-source.ts';
import { systemClock } from '../../../main/outside.ts';

/** More than a function takes as arguments. */
const count = 150_000;

it('takes more files of no known kind, dropped one by one, than a call takes arguments', async () => {
  const files = Array.from({ length: count }, (_, at): SourceFile => {
    const key = `tile_${at}.x`;
    return { size: at, mtimeMs: 1, path: `/data/${key}`, key };
  });
  const source = await inspectSource(
    files.map(({ path }) => path),
    {
      scan: async () => ({ files, bytes: 0, ignored: [] }),
      inspectFirstFiles: async () => new Map(),
      readNamed: (all) => readNamed(all, async () => [], systemClock),
    },
  );
  expect(source.files).toHaveLength(count);
});
