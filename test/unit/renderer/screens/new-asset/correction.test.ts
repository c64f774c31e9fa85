import { expect, it } from 'vitest';
import { incompleteSource } from '../../../../../gallery/samples/sample-sources.ts';
import type { AsSentView } from '../../../../../preload/contract.ts';
import {
  draftAsSent,
  likelyField,
  likelyOption,
} from '../../../../../renderer/state/new-asset/draft/correction.ts';
import { groupId } from '../../../../../renderer/state/new-asset/draft/decisions.ts';
import { draftInputs } from '../../../../../renderer/state/new-asset/draft/draft.ts';

const source = incompleteSource;
const [group] = source.findings;
const sentView: AsSentView = {
  name: 'Town',
  description: 'As **flown**',
  assetType: '3DTILES',
  sourceType: 'POINT_CLOUD',
  clampToTerrain: true,
  baseTerrainId: 7,
  options: '{"inputCrs":"EPSG:31467","further":true}',
  leftOut: [],
  assigned: [],
};

it.each([
  ['No coordinate reference system found', 'system'],
  ['Could not determine the CRS of 3 files', 'system'],
  ['Invalid projection', 'system'],
  ['The tileset has no position', 'position'],
  ['Longitude out of range', 'position'],
  ['File is truncated', null],
  ['', null],
] as const)('likelyField() of “%s” is %s', (words, field) => expect(likelyField(words)).toBe(field));

it('likelyField() is an option only if the form has it', () => {
  const correction = { jobId: 'a', name: 'Town', error: null, bytesDone: 0, likely: 'system' as const };
  const draft = draftAsSent(source, sentView);
  expect(likelyOption(correction, draft)).toBe('inputCrs');
  expect(likelyOption(correction, { ...draft, sourceType: 'KML' })).toBeNull();
});

it('draftAsSent() restores everything that was sent and sends it again', () => {
  const draft = draftAsSent(source, sentView);
  expect(draftInputs(source, draft, false)).toEqual([
    {
      paths: source.paths,
      kindKey: source.kindKey,
      name: 'Town',
      description: 'As **flown**',
      assetType: '3DTILES',
      sourceType: 'POINT_CLOUD',
      clampToTerrain: true,
      baseTerrainId: 7,
      options: '{"further":true,"inputCrs":"EPSG:31467"}',
      acceptForecast: false,
    },
  ]);
});

it('draftAsSent() restores decisions about all files of a finding', () => {
  if (!group) throw new Error('The sample has no finding.');
  const id = groupId(group);
  const leftOut = draftAsSent(source, { ...sentView, leftOut: group.keys });
  expect(leftOut).toMatchObject({ decisions: { [id]: { kind: 'leave-out' } }, keptChanges: null });
  const assignedDraft = draftAsSent(source, { ...sentView, assigned: [{ epsg: 25833, keys: group.keys }] });
  expect(assignedDraft).toMatchObject({
    decisions: { [id]: { kind: 'assign', epsg: 25833 } },
    keptChanges: null,
  });
});

it('draftAsSent() keeps and resends decisions that match no finding', () => {
  const draft = draftAsSent(source, {
    ...sentView,
    leftOut: ['x.las'],
    assigned: [{ epsg: 4326, keys: ['y.tif'] }],
  });
  const [input] = draftInputs(source, draft, false);
  expect(input?.changes).toEqual({
    leftOut: [{ keys: ['x.las'] }],
    assigned: [{ epsg: 4326, files: { keys: ['y.tif'] } }],
  });
});
