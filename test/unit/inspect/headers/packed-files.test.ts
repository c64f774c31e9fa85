import { sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import { LookCache } from '../../../../main/inspect/headers/look-cache.ts';
import { FileColumns, filesPerMessage, packFiles } from '../../../../main/inspect/headers/packed-files.ts';
import { survey } from '../../../../main/inspect/survey/survey.ts';
import { bytesInUse } from '../bytes-in-use.ts';

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

  /** As many messages as it takes, the last of them not full. */
  const columnsOf = (files: readonly SourceFile[]) => {
    const columns = new FileColumns();
    for (let at = 0; at < files.length; at += filesPerMessage)
      columns.add(structuredClone(packFiles(files.slice(at, at + filesPerMessage))));
    return columns;
  };
  const pathsIn = (columns: FileColumns) =>
    Array.from(columns.keys, (_, at) => columns.task(at, noPlan).path);

  it('are the same however many messages they came in, whatever their roots and letters', () => {
    const name = fc.constantFrom(
      'x.tif',
      'Gr\u00f6\u00dfe.tif',
      '\u4e2d\u6587.laz',
      '\ud83d\ude00.las',
      'a b.xml',
    );
    const folder = fc.constantFrom('', 'a/', 'Gel\u00e4nde/', 'b/c/', 'M\u00fcll/\u00c4/');
    const root = fc.constantFrom('/data/', '/other/\u00fc/', 'C:/', '');
    // Stretches, as folders are: else hardly a message would have one root.
    const stretch = fc.record({
      ...{ root, folder, name, count: fc.integer({ min: 1, max: 700 }) },
      form: fc.constantFrom('NFC', 'NFD', 'link' as const),
      size: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 5 }), (stretches) => {
        const files = stretches.flatMap(({ root, folder, name, count, form, size }) =>
          Array.from({ length: count }, (_, at) => {
            const key = `${folder}${at}_${name}`;
            const path = form === 'link' ? `${root}elsewhere/${at}` : (root + key).normalize(form);
            return file(inPath(path), key, size + at);
          }),
        );
        const columns = columnsOf(files);
        const { keys } = columns;
        const named = files.map(({ key, size }) => ({ key, size }));
        expect([...keys]).toEqual(files.map(({ key }) => key));
        expect(keys.length).toBe(files.length);
        expect(files.map((_, at) => keys.at(at))).toEqual([...keys]);
        expect([keys.at(files.length), keys.at(-1)]).toEqual([undefined, undefined]);
        expect(pathsIn(columns)).toEqual(files.map(({ path }) => path));
        expect([...columns.named()]).toEqual(named);
        expect(files.map((_, at) => columns.named().at(at))).toEqual(named);
        expect(columns.named().at(files.length)).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it('keep their versions in each of several messages', () => {
    const files = Array.from({ length: 2 * filesPerMessage + 3 }, (_, at) => ({
      ...file(`/data/${at}.tif`, `${at}.tif`, at),
      mtimeMs: at + 0.5,
    }));
    const columns = columnsOf(files);
    for (const at of [0, filesPerMessage - 1, filesPerMessage, 2 * filesPerMessage + 2])
      expect(columns.task(at, noPlan).version).toBe(`${at} ${at + 0.5} 2`);
  });

  it.each([
    ['below one folder', (key: string) => `/data/${key}`],
    ['of another system\u2019s letters', (key: string) => `/data/${key.normalize('NFD')}`],
  ])('take little more than the text of their keys and three numbers each: %s', (_what, pathOf) => {
    const count = 100_000;
    const before = bytesInUse();
    const columns = new FileColumns();
    for (let at = 0; at < count; at += filesPerMessage) {
      const files = Array.from({ length: filesPerMessage }, (_, own) => {
        const key = `Gel\u00e4nde/tiles_${100 + at / filesPerMessage}/tile_${100_000 + at + own}.tif`;
        return file(inPath(pathOf(key)), key);
      });
      columns.add(structuredClone(packFiles(files)));
    }
    const kept = bytesInUse() - before;
    expect(columns.keys.length).toBe(count);
    // Some 65; whatever else happens to be in memory counts too.
    expect(kept / count).toBeLessThan(90);
  });

  it('take at most 500 bytes each in the thread that looks into them, with all that it has seen', async () => {
    const count = 20_000;
    const root = `/data/${'a folder of somebody/'.repeat(4)}`;
    const before = bytesInUse();
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
        if (seen.state === 'done') kept = bytesInUse() - before;
      },
    };
    await survey(columns, parts, new AbortController().signal);
    expect(cache.size).toBe(count);
    expect(findings.finish().map(({ id }) => id)).not.toContain('overlaps');
    expect(kept / count).toBeLessThan(500);
  });
});
