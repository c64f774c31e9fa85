import { expect, it } from 'vitest';
import type { JobFiles } from '../../../../../preload/contract.ts';
import { fileLines, unlisted } from '../../../../../renderer/state/uploads/job-files.ts';

const files: JobFiles = {
  unfinished: [
    { key: 'dom.laz', size: 100, bytesDone: 62 },
    { key: 'empty.txt', size: 0, bytesDone: 0 },
  ],
  done: [{ key: 'dgm.laz', size: 40, bytesDone: 40 }],
  unfinishedCount: 900,
  doneCount: 1,
};

const states = (status: 'uploading' | 'failed') =>
  fileLines(files, { status }).map(({ key, state }) => `${key} ${state}`);

it('files of an opened job show their progress, those being sent first', () => {
  expect(states('uploading')).toEqual(['dom.laz 62\u00a0%', 'empty.txt waiting', 'dgm.laz done']);
});

it('files of an opened job stop waiting once the job has ended', () => {
  expect(states('failed')).toEqual(['dom.laz 62\u00a0%', 'empty.txt not sent', 'dgm.laz done']);
});

it('files of an opened job say how many are not listed', () => {
  expect(unlisted(files)).toBe('and 898 more');
  expect(unlisted({ ...files, unfinishedCount: 2 })).toBe('');
});
