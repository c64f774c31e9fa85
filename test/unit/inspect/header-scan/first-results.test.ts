import { beforeEach, expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import {
  FirstResults,
  maxSample,
  type WalkResults,
} from '../../../../main/inspect/header-scan/first-results.ts';
import type { HeaderScanProgress } from '../../../../main/inspect/header-scan/header-scan.ts';
import { packFootprints, type Seen } from '../../../../shared/source.ts';

let now: number;
let surveyed: { readonly keys: readonly string[]; readonly signal: AbortSignal }[];
let answer: (message: HeaderScanProgress) => void;
let walkResults: WalkResults[];
let words: FirstResults;

beforeEach(() => {
  now = 1_000;
  surveyed = [];
  walkResults = [];
  words = new FirstResults({
    currentTime: () => now,
    survey: async (files, signal, tell) => {
      surveyed.push({ keys: files.map(({ key }) => key), signal });
      answer = tell;
    },
    notify: (walkResult) => walkResults.push(walkResult),
  });
});

const file = (key: string): SourceFile => ({ key, path: `/data/${key}`, size: 1, mtimeMs: 1 });
const folder = (name: string, count: number, extension = 'tif') =>
  Array.from({ length: count }, (_, at) => file(`${name}/${at}.${extension}`));
const progressWith = (lookedCount: number): HeaderScanProgress => ({
  seen: { looked: lookedCount } as Seen,
  footprints: packFootprints([{ key: `${lookedCount}`, ring: [[9, 50]] }]),
  density: null,
});

it('FirstResults inspects a sample of the found files during the scan', () => {
  words.addFiles(folder('a', 1_000));
  expect(surveyed).toEqual([]);
  now += 60;
  words.addFiles(folder('b', 1_000));
  expect(surveyed).toHaveLength(1);
  const { keys } = surveyed[0] ?? { keys: [] };
  expect(keys).toHaveLength(maxSample);
  expect(new Set(keys.map((key) => key.split('/')[0]))).toEqual(new Set(['a', 'b']));
  answer(progressWith(20));
  expect(walkResults).toEqual([
    { fileCount: 2_000, seen: { looked: 20 }, footprints: [{ key: '20', ring: [[9, 50]] }] },
  ]);
});

it('FirstResults takes one sample and reports the file count occasionally', () => {
  now += 60;
  words.addFiles(folder('a', 1_000));
  now += 600;
  words.addFiles(folder('b', 500));
  words.addFiles(folder('c', 500));
  expect(surveyed).toHaveLength(1);
  expect(walkResults.map(({ fileCount, seen }) => [fileCount, seen])).toEqual([[1_500, null]]);
});

it('FirstResults waits for an inspectable file and its sidecars', () => {
  now += 60;
  words.addFiles(folder('notes', 100, 'txt'));
  expect(surveyed).toEqual([]);
  words.addFiles([file('d/a.tif'), file('d/a.tif.aux.xml'), file('d/b.txt')]);
  expect(surveyed[0]?.keys).toEqual(['d/a.tif', 'd/a.tif.aux.xml']);
});

it('FirstResults reports nothing after the scan', () => {
  now += 60;
  words.addFiles(folder('a', 100));
  words.end();
  expect(surveyed[0]?.signal.aborted).toBe(true);
  answer(progressWith(20));
  now += 600;
  words.addFiles(folder('b', 100));
  expect(walkResults).toEqual([]);
});
