import { expect, it } from 'vitest';
import { recentSources } from '../../../../renderer/words/recent-sources.ts';

const job = (id: string, createdAt: number, paths: readonly string[], byRule = false) => ({
  id,
  createdAt,
  paths,
  byRule,
});

it('recentSources() lists sources once each by their last upload', () => {
  const jobs = [
    job('a', 1, ['/data/Town']),
    job('b', 3, ['C:\\scans\\Harbour']),
    job('c', 2, ['/data/Town']),
    job('d', 4, ['/data/a.tif', '/data/b.tif']),
  ];
  expect(recentSources(jobs)).toEqual([
    { jobId: 'd', name: '2 dropped items', place: '/data/a.tif' },
    { jobId: 'b', name: 'Harbour', place: 'C:\\scans\\Harbour' },
    { jobId: 'c', name: 'Town', place: '/data/Town' },
  ]);
});

it('recentSources() omits watched folders and lists ten at most', () => {
  expect(recentSources([job('a', 1, ['/incoming/Scan'], true)])).toEqual([]);
  const manyJobs = Array.from({ length: 30 }, (_, n) => job(`j${n}`, n, [`/data/${n}`]));
  expect(recentSources(manyJobs).map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, n) => String(29 - n)),
  );
});
