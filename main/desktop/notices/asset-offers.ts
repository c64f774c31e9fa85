import { snippetTools } from '../../../shared/assets.ts';
import type { SnippetId } from '../../../shared/schemas/snippets.ts';
import { ownSnippetsFor } from '../../../shared/snippets/choose-snippet.ts';
import { assetSnippet } from '../../ipc/handlers/snippet-handlers.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { say } from '../../say.ts';
import type { ServiceAddress } from '../../service/model.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import type { SettingsStore } from '../../settings.ts';
import type { NoticeAction } from './notify.ts';

interface AssetOffersParts {
  readonly settings: Pick<SettingsStore, 'get'>;
  /** Of an account; undefined where it is not signed in any more. */
  readonly addressOf: (accountId: string) => ServiceAddress | undefined;
  readonly copy: (text: string) => void;
  /** In the browser. */
  readonly open: (address: string) => void;
}

/** As much of a job or an asset as is needed to offer it. */
type OfferedAsset = Pick<JobSnapshot, 'accountId' | 'assetType' | 'name'>;

/** What can be done with an asset that has come to be, most wanted first: as in the menu of its row. */
export function createAssetOffers({ settings, addressOf, copy, open }: AssetOffersParts) {
  return ({ accountId, assetType, name }: OfferedAsset, id: number): readonly NoticeAction[] => {
    const address = addressOf(accountId);
    const copyId = { text: say('notify.copyAssetId'), run: () => copy(String(id)) };
    if (!address) return [copyId];
    const page = assetPageAddress(address, id);
    const code = (tool: SnippetId) => () =>
      copy(assetSnippet(settings, { id, name, assetType }, tool, () => address));
    return [
      { text: say('notify.open'), run: () => open(page) },
      copyId,
      { text: say('general.copyLink'), run: () => copy(page) },
      ...snippetTools.map((tool) => ({ text: say(`general.copySnippet.${tool}`), run: code(tool) })),
      ...ownSnippetsFor(settings.get().snippets, assetType).map((own) => ({
        text: say('general.copyOwnSnippet', { name: own.name }),
        run: code(own.id),
      })),
    ];
  };
}
