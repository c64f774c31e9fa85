import { expect, it } from 'vitest';
import type { SourceFile } from '../../../main/files/model.ts';
import { readReferences } from '../../../main/inspect/grouping/read-references.ts';
import { inspectSource } from '../../../main/inspect/inspect-source.ts';
import { systemClock } from '../../../main/ports.ts';

/** More than a function accepts as arguments. */
const count = 150_000;

it('an inspection accepts more unknown files than a call takes arguments', async () => {
  const files = Array.from({ length: count }, (_, at): SourceFile => {
    const key = `tile_${at}.x`;
    return { size: at, mtimeMs: 1, path: `/data/${key}`, key };
  });
  const source = await inspectSource(
    files.map(({ path }) => path),
    {
      scan: async () => ({ files, bytes: 0, ignored: [] }),
      inspectFirstFiles: async () => new Map(),
      readReferences: (sourceFiles) => readReferences(sourceFiles, async () => [], systemClock),
    },
  );
  expect(source.files).toHaveLength(count);
});
