import { assetSnippet, snippetToolsFor } from '../../../shared/asset-snippets.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { say } from '../../say.ts';
import type { ServiceAddress } from '../../service/model.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import type { NoticeAction } from './notify.ts';

interface AssetOffersParts {
  /** Undefined if signed out. */
  readonly addressOf: (accountId: string) => ServiceAddress | undefined;
  readonly copy: (text: string) => void;
  readonly openPage: (address: string) => void;
}

type OfferedAsset = Pick<JobSnapshot, 'accountId' | 'assetType' | 'name'>;

/** Most useful first, as in the row's menu. */
export function createAssetOffers({ addressOf, copy, openPage }: AssetOffersParts) {
  return ({ accountId, assetType, name }: OfferedAsset, id: number): readonly NoticeAction[] => {
    const address = addressOf(accountId);
    const copyId = { text: say('notify.copyAssetId'), run: () => copy(String(id)) };
    if (!address) return [copyId];
    const page = assetPageAddress(address, id);
    return [
      { text: say('notify.open'), run: () => openPage(page) },
      copyId,
      { text: say('general.copyLink'), run: () => copy(page) },
      ...snippetToolsFor(assetType).map((tool) => ({
        text: say(`general.copySnippet.${tool}`),
        run: () => copy(assetSnippet({ id, name, assetType }, tool, address)),
      })),
    ];
  };
}
