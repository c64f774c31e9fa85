import type { AssetType, SnippetId, Snippets } from '../../preload/contract.ts';
import { type SnippetTool, snippetTools } from '../../shared/assets.ts';
import { ownSnippetsFor } from '../../shared/snippets/choose-snippet.ts';
import { say } from '../say.ts';

/** As their makers call them, in every language. */
export const toolNames: Readonly<Record<SnippetTool, string>> = {
  cesiumjs: 'CesiumJS',
  unreal: 'Unreal',
  unity: 'Unity',
};

/** One kind of code that can be copied for an asset, in the words of a menu. */
export interface SnippetChoice {
  readonly id: SnippetId;
  readonly word: string;
}

/** All code that can be copied for assets of a type: Tilelift's templates, then the person's own. */
export function snippetChoices(snippets: Snippets, assetType: AssetType): readonly SnippetChoice[] {
  return [
    ...snippetTools.map((id) => ({ id, word: say(`general.copySnippet.${id}`) })),
    ...ownSnippetsFor(snippets, assetType).map(({ id, name }) => ({
      id,
      word: say('general.copyOwnSnippet', { name }),
    })),
  ];
}
