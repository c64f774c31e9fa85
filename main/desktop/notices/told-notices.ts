import { assetTypes } from '../../../shared/assets.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import type { SubscriptionEnd } from '../../tiling/subscribed-assets.ts';
import type { createAssetOffers } from './asset-offers.ts';
import type { Notify } from './notify.ts';

interface SubscriptionNoticesParts {
  readonly settings: SettingsStore;
  readonly notify: Notify;
  readonly offers: ReturnType<typeof createAssetOffers>;
}

/** Notifies even with the focus, since the window doesn't show these assets. */
export function createSubscriptionNotices(parts: SubscriptionNoticesParts): (end: SubscriptionEnd) => void {
  const { settings, notify, offers } = parts;
  return ({ accountId, assetId, asset }) => {
    if (!settings.get().background.notify) return;
    const id = String(assetId);
    if (asset === null) return notify({ title: say('notify.toldGone', { id }), body: '' });
    const { name } = asset;
    if (asset.status !== 'COMPLETE')
      return notify({ title: say('notify.tilingFailed', { name }), body: say('notify.toldFailed') });
    const assetType = assetTypes.find((type) => type === asset.type);
    notify({
      title: say('notify.complete', { name }),
      body: say('notify.readyAs', { id }),
      actions: assetType ? offers({ accountId, assetType, name }, assetId) : [],
    });
  };
}
