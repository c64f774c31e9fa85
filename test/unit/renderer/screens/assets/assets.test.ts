import { describe, expect, it } from 'vitest';
import { sampleAssets } from '../../../../../gallery/samples/sample-assets.ts';
import {
  type AssetQuery,
  assetStatusWords,
  findAssets,
  leftBehind,
} from '../../../../../renderer/screens/assets/assets.ts';
import type { JobStatus } from '../../../../../shared/job-status.ts';

const all: AssetQuery = { text: '', type: null, sortBy: 'dateAdded', descending: true };
const ids = (query: Partial<AssetQuery>) =>
  findAssets(sampleAssets, { ...all, ...query }).map(({ id }) => id);

describe('finding assets', () => {
  it('searches name and id, whatever the case', () => {
    expect(ids({ text: ' altSTADT ' })).toEqual([2481899]);
    expect(ids({ text: '96188' })).toEqual([96188]);
    expect(ids({ text: 'nowhere' })).toEqual([]);
  });

  it('filters by type', () => {
    expect(ids({ type: 'IMAGERY' })).toEqual([2481655, 2240111]);
  });

  it('sorts by a column both ways', () => {
    expect(ids({ sortBy: 'id', descending: false })[0]).toBe(1);
    expect(ids({ sortBy: 'bytes' })[0]).toBe(2240090);
    expect(ids({ sortBy: 'name', descending: false })[0]).toBe(2240090);
    expect(ids({})[0]).toBe(2481907);
  });

  it('counts figures in names as numbers', () => {
    const [first] = sampleAssets;
    if (!first) throw new Error('There are no sample assets.');
    const blocks = ['Block 10', 'Block 9'].map((name, id) => ({ ...first, id, name }));
    const found = findAssets(blocks, { ...all, sortBy: 'name', descending: false });
    expect(found.map(({ name }) => name)).toEqual(['Block 9', 'Block 10']);
  });

  it('leaves the list it was given as it is', () => {
    const before = [...sampleAssets];
    ids({ sortBy: 'name' });
    expect(sampleAssets).toEqual(before);
  });
});

describe('an asset that was left behind', () => {
  const jobs = (...statuses: JobStatus[]) => statuses.map((status) => ({ assetId: 2481907, status }));
  const left = (...statuses: JobStatus[]) => [...leftBehind(sampleAssets, jobs(...statuses))];

  it.each(['cancelled', 'failed', 'expired'] as const)('waits for files of a job that is %s', (status) => {
    expect(left(status)).toEqual([2481907]);
    expect(ids({ only: leftBehind(sampleAssets, jobs(status)) })).toEqual([2481907]);
  });

  it('is none that is being uploaded, that another job takes up, or that nobody here has made', () => {
    expect(left('uploading')).toEqual([]);
    expect(left('failed', 'uploading')).toEqual([]);
    expect(left()).toEqual([]);
  });

  it('is none that has its files', () => {
    expect([...leftBehind(sampleAssets, [{ assetId: 2481890, status: 'failed' }])]).toEqual([]);
  });
});

describe('the status of an asset', () => {
  it('has words for the named values and keeps the others', () => {
    const word = (status: string) =>
      assetStatusWords({ status, percentComplete: 38.9 }).word.replaceAll('\u00a0', ' ');
    expect(
      ['AWAITING_FILES', 'NOT_STARTED', 'IN_PROGRESS', 'COMPLETE', 'DATA_ERROR', 'ERROR', 'ARCHIVED'].map(
        word,
      ),
    ).toEqual([
      'Awaiting files',
      'Tiling',
      'Tiling · 38 %',
      'Complete',
      'Data error',
      'Tiling failed',
      'ARCHIVED',
    ]);
  });
});
