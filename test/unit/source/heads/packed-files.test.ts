import { sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createFindings } from '../../../../main/source/findings/create-findings.ts';
import { LookCache } from '../../../../main/source/heads/look-cache.ts';
import { FileColumns, filesPerMessage, packFiles } from '../../../../main/source/heads/packed-files.ts';
import { survey } from '../../../../main/source/heads/survey.ts';
import type { SourceFile } from '../../../../main/source/model.ts';

const noPlan = { sidecars: new Map<string, number>(), deep: new Set<number>() };
const inPath = (key: string) => key.replaceAll('/', sep);
const file = (path: string, key: string, size = 7): SourceFile => ({
  ...{ path, key, size, mtimeMs: 1, identity: { fileId: null, ctimeMs: 2 } },
});

describe('files of a source in columns', () => {
  it('have the paths that they came with, whether these end with the key or not', () => {
    const files = [
      file(inPath('/data/a/x.tif'), 'a/x.tif'),
      file(inPath('/other/b/y.tif'), 'b/y.tif'),
      file('/elsewhere/link-leads-here.tif', 'z.tif'),
      file(inPath('/data/Gro\u0308\u00dfe.tif'), 'Gr\u00f6\u00dfe.tif'),
      file('k', 'k'),
    ];
    const columns = new FileColumns();
    columns.add(packFiles(files));
    expect(files.map((_, at) => columns.task(at, noPlan).path)).toEqual(files.map(({ path }) => path));
    expect([...columns.named()]).toEqual(files.map(({ key, size }) => ({ key, size })));
    expect([...columns.named()]).toHaveLength(columns.named().length);
  });

  it('take at most 500 bytes each in the thread that looks into them, with all that it has seen', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const used = () => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const count = 20_000;
    const root = `/data/${'a folder of somebody/'.repeat(4)}`;
    const before = used();
    const columns = new FileColumns();
    for (let at = 0; at < count; at += filesPerMessage) {
      const files = Array.from({ length: filesPerMessage }, (_, own) => {
        const key = `block_${at / filesPerMessage}/dgm_${at + own}.tif`;
        return file(inPath(`${root}${key}`), key);
      });
      columns.add(structuredClone(packFiles(files)));
    }
    const cache = new LookCache();
    const findings = createFindings(columns.named(), null);
    let kept = 0;
    const parts: Parameters<typeof survey>[1] = {
      ...{ cache, findings, outline: () => null },
      readHere: async ({ key }) => {
        const at = Number(/(\d+)\.tif$/.exec(key)?.[1]);
        const [x, y] = [1_000 * (at % 200), 1_000 * Math.floor(at / 200)];
        return {
          head: {
            ...{ kind: 'grid', system: 'EPSG:25832', vertical: null },
            corners: [
              [x, y],
              [x + 1_000, y],
              [x + 1_000, y + 1_000],
              [x, y + 1_000],
            ],
          },
          systemBeside: null,
          verdict: null,
        };
      },
      openReaders: () => ({ readers: [], close: () => {} }),
      now: () => 0,
      pause: async () => {},
      wait: async () => {},
      tell: ({ seen }) => {
        if (seen.state === 'done') kept = used() - before;
      },
    };
    await survey(columns, parts, new AbortController().signal);
    expect(cache.size).toBe(count);
    expect(findings.finish().map(({ id }) => id)).not.toContain('overlaps');
    expect(kept / count).toBeLessThan(500);
  });
});
