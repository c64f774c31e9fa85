import { expect, it } from 'vitest';
import { assetAnswer, listAnswer } from '../../../main/service/answers.ts';

const asset = {
  id: 7,
  type: '3DTILES',
  name: 'Berlin',
  description: 'words',
  attribution: '',
  bytes: 0,
  dateAdded: '2025-01-01T00:00:00.000Z',
  status: 'AWAITING_FILES',
  percentComplete: 0,
};
it('an asset record keeps fields that the contract does not name', () => {
  const extended = { ...asset, labels: ['x'], userId: 3 };
  expect(assetAnswer.parse(extended)).toEqual(extended);
});

it('an asset record accepts missing optional fields', () => {
  const { id, type, name, status } = asset;
  expect(assetAnswer.parse({ id, type, name, status, description: null })).toEqual({
    ...asset,
    description: '',
    dateAdded: '',
  });
});

it('an asset record keeps a status that the contract does not name', () => {
  expect(assetAnswer.parse({ ...asset, status: 'REPROJECTING' }).status).toBe('REPROJECTING');
});

it('an asset record keeps error and progressMessage if they are texts', () => {
  const parsedAsset = assetAnswer.parse({ ...asset, error: 'no CRS', progressMessage: null });
  expect(parsedAsset).toEqual({ ...asset, error: 'no CRS' });
  expect(assetAnswer.parse({ ...asset, error: {}, progressMessage: '' })).toEqual(asset);
});

it('an asset record accepts numbers sent as text', () => {
  const texts = { ...asset, id: '70001', bytes: '12', percentComplete: '41.5' };
  expect(assetAnswer.parse(texts)).toEqual({ ...asset, id: 70001, bytes: 12, percentComplete: 41.5 });
});

it.each(['type', 'name', 'description', 'attribution', 'bytes', 'dateAdded', 'percentComplete'])(
  'an asset record uses a default when %s has another type',
  (field) => {
    const empty = { ...asset, [field]: typeof asset[field as keyof typeof asset] === 'number' ? 0 : '' };
    for (const oddError of [{ html: 'x' }, [1], true, null, undefined])
      expect(assetAnswer.parse({ ...asset, [field]: oddError })).toEqual(empty);
  },
);

it.each([
  ['no id', { id: undefined }],
  ['an id that is no number', { id: 'seven' }],
  ['an id that no number holds exactly', { id: '9007199254740993' }],
  ['no status', { status: undefined }],
  ['a status that is no text', { status: 3 }],
])('an asset record is refused with %s', (_, change) => {
  expect(assetAnswer.safeParse({ ...asset, ...change }).success).toBe(false);
});

it('an asset record drops unknown fields nested too deeply to serialize', () => {
  const deepValue = JSON.parse('{"a":'.repeat(50_000) + 1 + '}'.repeat(50_000));
  expect(assetAnswer.parse({ ...asset, deep: deepValue, labels: [['x']] })).toEqual({
    ...asset,
    labels: [['x']],
  });
});

it('an asset record limits its progress to 0 to 100', () => {
  expect(assetAnswer.parse({ ...asset, percentComplete: 130 }).percentComplete).toBe(100);
  expect(assetAnswer.parse({ ...asset, percentComplete: -1 }).percentComplete).toBe(0);
});

it('the list of assets consists of its items, whatever else the response contains', () => {
  expect(listAnswer.parse({ items: [asset], total: 1 })).toEqual({
    assets: [asset],
    droppedCount: 0,
    next: null,
  });
  expect(listAnswer.safeParse([asset]).success).toBe(false);
});

it('the list of assets drops and counts an invalid record and keeps the others', () => {
  const oddItems = [{ ...asset, id: 'seven' }, null, 'x', { id: 9 }];
  const page = listAnswer.parse({ items: [oddItems[0], asset, ...oddItems.slice(1)] });
  expect(page).toMatchObject({ assets: [asset], droppedCount: 4 });
});

it('the list of assets names its next page', () => {
  expect(listAnswer.parse({ items: [], next: '/v1/assets?page=2' }).next).toBe('/v1/assets?page=2');
  for (const nextValue of [null, '', 7, {}])
    expect(listAnswer.parse({ items: [], next: nextValue }).next).toBeNull();
});
