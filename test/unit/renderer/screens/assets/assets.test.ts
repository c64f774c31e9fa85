import { afterEach, describe, expect, it } from 'vitest';
import { sampleAssets } from '../../../../../gallery/samples/sample-assets.ts';
import type { AssetView } from '../../../../../preload/contract.ts';
import { speak } from '../../../../../renderer/say.ts';
import {
  type AssetQuery,
  activeFilters,
  assetStatusWords,
  everyAsset,
  findAssets,
  leftBehind,
  nothingFoundWords,
  sortAssets,
} from '../../../../../renderer/words/assets.ts';
import type { JobStatus } from '../../../../../shared/job-status.ts';
import { british } from '../../../../../strings/languages.ts';

const nothingLeft: ReadonlySet<number> = new Set();
const ids = (query: Partial<AssetQuery>, leftIds = nothingLeft) => {
  const asked = { ...everyAsset, ...query };
  return findAssets(sortAssets(sampleAssets, asked), asked, leftIds).map(({ id }) => id);
};

describe('findAssets()', () => {
  afterEach(() => speak(british));

  it('findAssets() searches name and id, ignoring case', () => {
    expect(ids({ text: ' altSTADT ' })).toEqual([2481899]);
    expect(ids({ text: '96188' })).toEqual([96188]);
    expect(ids({ text: 'nowhere' })).toEqual([]);
  });

  it('findAssets() filters by type', () => expect(ids({ type: 'IMAGERY' })).toEqual([2481655, 2240111]));

  it('findAssets() filters by displayed status: both kinds of tiling as one, unknown ones by name', () => {
    expect(ids({ status: 'IN_PROGRESS' })).toEqual([2481899, 96188]);
    expect(ids({ status: 'DATA_ERROR' })).toEqual([2481890]);
    expect(ids({ status: 'REBALANCING' })).toEqual([2481898]);
  });

  it('findAssets() filters by uploads from this computer, and combines filters', () => {
    expect(ids({ madeHere: true })).toEqual([2481907, 2481655, 2310044]);
    expect(ids({ madeHere: true, type: 'IMAGERY', status: 'COMPLETE' })).toEqual([2481655]);
  });

  it('findAssets() names the filters that match nothing, and the count without each', () => {
    const words = (query: Partial<AssetQuery>) => nothingFoundWords({ ...everyAsset, ...query });
    expect(words({ text: ' Marsch ' })).toBe('No asset has “Marsch” in its name or ID.');
    expect(words({ status: 'ERROR' })).toBe('No asset matches “Status: Tiling failed”.');
    expect(words({ text: 'Marsch', madeHere: true })).toBe('No asset matches all filters.');
    const filters = activeFilters({ ...everyAsset, text: 'Marsch', type: 'TERRAIN', madeHere: true });
    expect(filters.map(({ words: filterText }) => filterText)).toEqual([
      'Search: Marsch',
      'Type: Terrain',
      'From this computer',
    ]);
    expect(filters[0]?.without).toEqual({ ...everyAsset, type: 'TERRAIN', madeHere: true });
  });

  it('findAssets() sorts by a column both ways', () => {
    expect(ids({ sortBy: 'id', descending: false })[0]).toBe(1);
    expect(ids({ sortBy: 'bytes' })[0]).toBe(2240090);
    expect(ids({ sortBy: 'name', descending: false })[0]).toBe(2240090);
    expect(ids({})[0]).toBe(2481907);
  });

  it('findAssets() sorts names by the language, and numbers in them by value', () => {
    const [firstAsset] = sampleAssets as readonly [AssetView];
    const sortedNames = (...names: readonly string[]) => {
      const assets = names.map((name, id) => ({ ...firstAsset, id, name }));
      return sortAssets(assets, { sortBy: 'name', descending: false }).map(({ name }) => name);
    };
    expect(sortedNames('Block 10', 'Block 9')).toEqual(['Block 9', 'Block 10']);
    speak({ language: 'de', locale: 'de-DE' });
    expect(sortedNames('Zwinger', 'Öl', 'Oper')).toEqual(['Öl', 'Oper', 'Zwinger']);
  });

  it('findAssets() leaves the given list unchanged', () => {
    const previous = [...sampleAssets];
    ids({ sortBy: 'name' });
    expect(sampleAssets).toEqual(previous);
  });
});

describe('leftBehind()', () => {
  const jobs = (...statuses: JobStatus[]) => statuses.map((status) => ({ assetId: 2481907, status }));
  const leftIds = (...statuses: JobStatus[]) => [...leftBehind(sampleAssets, jobs(...statuses))];

  it.each(['cancelled', 'failed', 'expired'] as const)(
    'leftBehind() contains an asset whose job is %s',
    (status) => {
      expect(leftIds(status)).toEqual([2481907]);
      expect(ids({ leftBehind: true }, leftBehind(sampleAssets, jobs(status)))).toEqual([2481907]);
    },
  );

  it('leftBehind() omits assets that are being uploaded, continued by another job or made elsewhere', () => {
    expect(leftIds('uploading')).toEqual([]);
    expect(leftIds('failed', 'uploading')).toEqual([]);
    expect(leftIds()).toEqual([]);
  });

  it('leftBehind() omits assets that have their files', () => {
    expect([...leftBehind(sampleAssets, [{ assetId: 2481890, status: 'failed' }])]).toEqual([]);
  });
});

it('assetStatusWords() translates known statuses and keeps others', () => {
  const word = (status: string) =>
    assetStatusWords({ status, percentComplete: 38.9 }).word.replaceAll('\u00a0', ' ');
  expect(
    ['AWAITING_FILES', 'NOT_STARTED', 'IN_PROGRESS', 'COMPLETE', 'DATA_ERROR', 'ERROR', 'ARCHIVED'].map(word),
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
