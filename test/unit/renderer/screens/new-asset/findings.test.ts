import { expect, it } from 'vitest';
import {
  citySource,
  doubtfulSource,
  incompleteSource,
  photoSource,
} from '../../../../../gallery/samples/sample-sources.ts';
import type { FindingGroup, SourceView } from '../../../../../preload/contract.ts';
import { draftFrom, scopeOfAll } from '../../../../../renderer/state/new-asset/draft/draft.ts';
import { describeFindings, notesByFile } from '../../../../../renderer/state/new-asset/draft/findings.ts';

const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');
const describeAll = (source: SourceView, draft = draftFrom(source)) =>
  describeFindings(scopeOfAll(source, draft));

it('describeFindings() names count, files and solution', () => {
  const [words] = describeAll(incompleteSource);
  expect(words).toMatchObject({ level: 'will-fail', moreCount: 0 });
  expect(plain(words?.title)).toBe('3 files have no coordinate system');
  expect(plain(words?.share)).toBe('3 of 12');
  expect(plain(words?.titleOfOne)).toBe('1 file has no coordinate system');
  expect(words?.detail).toContain('.prj');
});

it('describeFindings() says when only some files were inspected', () => {
  const [words] = describeAll(photoSource);
  expect(plain(words?.title)).toBe('1 photo has no GPS position');
  expect(plain(words?.share)).toBe('1 of 20 files checked, 412 in total');
});

it('describeFindings() counts the files it does not list', () => {
  const group: FindingGroup = { id: 'cut-off', count: 5_000, looked: 5_000, total: 5_000, keys: ['a.tif'] };
  const [words] = describeFindings(
    scopeOfAll({ findings: [group], fileCount: 5_000, pieces: [] }, draftFrom(citySource)),
  );
  expect(words?.moreCount).toBe(4_999);
  expect(plain(words?.share)).toBe('all 5,000 files checked');
});

it('describeFindings() marks each file on the map with its gravest finding', () => {
  const words = describeAll(doubtfulSource);
  const notes = notesByFile(words);
  expect(notes.size).toBe(288);
  expect(notes.get('kacheln/dgm_0188.tif')?.map(({ level, text }) => [level, plain(text)])).toEqual([
    ['will-fail', '1 file is truncated'],
    ['worth-knowing', 'Vertical datum not specified'],
  ]);
});

it('describeFindings() omits findings that don’t matter to the kind of data', () => {
  expect(describeAll(incompleteSource, draftFrom(citySource))).toEqual([]);
});

it('describeFindings() omits a missing system of a point cloud once the user has named it', () => {
  const findings: FindingGroup[] = [
    { id: 'no-system-points', count: 1, looked: 1, total: 1, keys: ['a.las'] },
  ];
  const draft = { ...draftFrom(citySource), sourceType: 'POINT_CLOUD' };
  expect(describeFindings(scopeOfAll({ findings, fileCount: 1, pieces: [] }, draft))).toHaveLength(1);
  const namedDraft = { ...draft, options: { ...draft.options, inputCrs: 'EPSG:25832' } };
  expect(describeFindings(scopeOfAll({ findings, fileCount: 1, pieces: [] }, namedDraft))).toEqual([]);
});
