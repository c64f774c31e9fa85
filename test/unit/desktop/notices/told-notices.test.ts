import { expect, it, vi } from 'vitest';
import type { Notice } from '../../../../main/desktop/notices/notify.ts';
import { createSubscriptionNotices } from '../../../../main/desktop/notices/told-notices.ts';
import type { Asset } from '../../../../main/service/model.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';

const asset: Asset = {
  ...{ id: 7, type: 'TERRAIN', name: 'DGM1', description: '', attribution: '', bytes: 0, dateAdded: '' },
  ...{ status: 'COMPLETE', percentComplete: 100 },
};

function noticesFor(endedAsset: Asset | null, notify = true): readonly Notice[] {
  const notices: Notice[] = [];
  const settings = settingsInMemory();
  settings.update({ background: { ...settings.get().background, notify } });
  const offers = () => [{ text: 'Open', run: vi.fn() }];
  const tell = createSubscriptionNotices({ settings, offers, notify: (notice) => notices.push(notice) });
  tell({ accountId: 'me', assetId: 7, asset: endedAsset });
  return notices;
}

it('a notice announces the end of an asset made elsewhere and offers its actions', () => {
  expect(noticesFor(asset)).toMatchObject([
    { title: '“DGM1” is complete', body: 'Asset 7 is ready.', actions: [{ text: 'Open' }] },
  ]);
  expect(noticesFor({ ...asset, type: 'SOMETHING_NEW' })).toMatchObject([{ actions: [] }]);
  expect(noticesFor({ ...asset, status: 'DATA_ERROR' })).toMatchObject([{ title: '“DGM1”: tiling failed' }]);
  expect(noticesFor(null)).toMatchObject([{ title: 'Asset 7 no longer exists on the service' }]);
});

it('no notice announces an asset when notifications are off', () => {
  expect(noticesFor(asset, false)).toEqual([]);
});
