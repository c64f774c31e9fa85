import { beforeEach, expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import {
  FirstWords,
  maxFirst,
  type WalkedSoFar,
} from '../../../../main/inspect/header-scan/first-results.ts';
import type { SurveyNews } from '../../../../main/inspect/header-scan/header-scan.ts';
import { packFootprints, type Seen } from '../../../../shared/source.ts';

let now: number;
let surveyed: { readonly keys: readonly string[]; readonly signal: AbortSignal }[];
let answer: (news: SurveyNews) => void;
let told: WalkedSoFar[];
let words: FirstWords;

beforeEach(() => {
  now = 1_000;
  surveyed = [];
  told = [];
  words = new FirstWords({
    currentTime: () => now,
    survey: async (files, signal, tell) => {
      surveyed.push({ keys: files.map(({ key }) => key), signal });
      answer = tell;
    },
    notify: (walked) => told.push(walked),
  });
});

const file = (key: string): SourceFile => ({ key, path: `/data/${key}`, size: 1, mtimeMs: 1 });
const folder = (name: string, count: number, ending = 'tif') =>
  Array.from({ length: count }, (_, at) => file(`${name}/${at}.${ending}`));
const news = (looked: number): SurveyNews => ({
  seen: { looked } as Seen,
  footprints: packFootprints([{ key: `${looked}`, ring: [[9, 50]] }]),
  density: null,
});

it('FirstWords inspects a sample of the found files during the scan', () => {
  words.take(folder('a', 1_000));
  expect(surveyed).toEqual([]);
  now += 60;
  words.take(folder('b', 1_000));
  expect(surveyed).toHaveLength(1);
  const { keys } = surveyed[0] ?? { keys: [] };
  expect(keys).toHaveLength(maxFirst);
  expect(new Set(keys.map((key) => key.split('/')[0]))).toEqual(new Set(['a', 'b']));
  answer(news(20));
  expect(told).toEqual([
    { fileCount: 2_000, seen: { looked: 20 }, footprints: [{ key: '20', ring: [[9, 50]] }] },
  ]);
});

it('FirstWords takes one sample and reports the file count occasionally', () => {
  now += 60;
  words.take(folder('a', 1_000));
  now += 600;
  words.take(folder('b', 500));
  words.take(folder('c', 500));
  expect(surveyed).toHaveLength(1);
  expect(told.map(({ fileCount, seen }) => [fileCount, seen])).toEqual([[1_500, null]]);
});

it('FirstWords waits for an inspectable file and its sidecars', () => {
  now += 60;
  words.take(folder('notes', 100, 'txt'));
  expect(surveyed).toEqual([]);
  words.take([file('d/a.tif'), file('d/a.tif.aux.xml'), file('d/b.txt')]);
  expect(surveyed[0]?.keys).toEqual(['d/a.tif', 'd/a.tif.aux.xml']);
});

it('FirstWords reports nothing after the scan', () => {
  now += 60;
  words.take(folder('a', 100));
  words.end();
  expect(surveyed[0]?.signal.aborted).toBe(true);
  answer(news(20));
  now += 600;
  words.take(folder('b', 100));
  expect(told).toEqual([]);
});
