import { clipboard } from 'electron';
import type { SnippetId } from '../../../shared/schemas/snippets.ts';
import { snippetById } from '../../../shared/snippets/choose-snippet.ts';
import { asksForPlace, filledSnippet, type SnippetAsset } from '../../../shared/snippets/snippet-text.ts';
import { TileliftError } from '../../errors.ts';
import type { ServiceAddress } from '../../service/model.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import type { SettingsStore } from '../../settings.ts';
import type { CallHandlers } from '../bind.ts';

type SnippetCall = 'snippets.state' | 'snippets.set' | 'assets.copySnippet';

/**
 * The code that shows an asset, by one of the person's templates.
 *
 * @param address of the asset's service; asked for only where the template has a use for it
 * @throws TileliftError `snippet-unknown` for a template that was removed, and what `address` throws
 */
export function assetSnippet(
  settings: Pick<SettingsStore, 'get'>,
  asset: SnippetAsset,
  tool: SnippetId,
  address: () => ServiceAddress,
): string {
  const text = snippetById(settings.get().snippets, tool, asset.assetType);
  if (text === null) throw new TileliftError('snippet-unknown');
  const place = asksForPlace(text) ? placeOf(address(), asset.id) : { service: '', page: '' };
  return filledSnippet(text, asset, place);
}

function placeOf(address: ServiceAddress, id: number) {
  return { service: address.baseUrl, page: assetPageAddress(address, id) };
}

/** Templates of code: kept in the settings, filled in here. */
export function snippetHandlers(
  settings: SettingsStore,
  addressOf: (accountId: string | null) => ServiceAddress,
): Pick<CallHandlers, SnippetCall> {
  return {
    'snippets.state': async () => settings.get().snippets,
    'snippets.set': async (snippets) => {
      settings.update({ snippets });
      return settings.get().snippets;
    },
    'assets.copySnippet': async ({ tool, accountId, ...asset }) =>
      clipboard.writeText(assetSnippet(settings, asset, tool, () => addressOf(accountId))),
  };
}
