import { assetSnippet } from '../../../shared/asset-snippets.ts';
import { snippetTools } from '../../../shared/assets.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { say } from '../../say.ts';
import type { ServiceAddress } from '../../service/model.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import type { NoticeAction } from './notify.ts';

interface AssetOffersParts {
  /** Of an account; undefined where it is not signed in any more. */
  readonly addressOf: (accountId: string) => ServiceAddress | undefined;
  readonly copy: (text: string) => void;
  /** In the browser. */
  readonly open: (address: string) => void;
}

/** As much of a job or an asset as is needed to offer it. */
type OfferedAsset = Pick<JobSnapshot, 'accountId' | 'assetType' | 'name'>;

/** What can be done with an asset that has come to be, most wanted first: as in the menu of its row. */
export function createAssetOffers({ addressOf, copy, open }: AssetOffersParts) {
  return ({ accountId, assetType, name }: OfferedAsset, id: number): readonly NoticeAction[] => {
    const address = addressOf(accountId);
    const copyId = { text: say('notify.copyAssetId'), run: () => copy(String(id)) };
    if (!address) return [copyId];
    const page = assetPageAddress(address, id);
    return [
      { text: say('notify.open'), run: () => open(page) },
      copyId,
      { text: say('general.copyLink'), run: () => copy(page) },
      ...snippetTools.map((tool) => ({
        text: say(`general.copySnippet.${tool}`),
        run: () => copy(assetSnippet({ id, name, assetType }, tool)),
      })),
    ];
  };
}
