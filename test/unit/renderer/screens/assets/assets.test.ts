import { describe, expect, it } from 'vitest';
import { sampleAssets } from '../../../../../gallery/samples/sample-assets.ts';
import {
  type AssetQuery,
  assetStatusWords,
  findAssets,
} from '../../../../../renderer/screens/assets/assets.ts';

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
