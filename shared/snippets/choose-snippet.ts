import { type AssetType, type SnippetTool, snippetTools } from '../assets.ts';
import type { OwnSnippet, SnippetId, Snippets } from '../schemas/snippets.ts';
import { defaultSnippets } from './default-snippets.ts';

/** Which template counts: a person's, or the one that Tilelift brings along. Pure. */

/** The template for a tool and a type, as the person has it. */
export function toolSnippet({ changed }: Snippets, tool: SnippetTool, assetType: AssetType): string {
  const own = changed.find((one) => one.tool === tool && one.assetType === assetType);
  return own?.text ?? defaultSnippets[tool][assetType];
}

/** By its id; null where a person's own is not there any more. */
export function snippetById(snippets: Snippets, id: SnippetId, assetType: AssetType): string | null {
  const tool = snippetTools.find((one) => one === id);
  if (tool) return toolSnippet(snippets, tool, assetType);
  return snippets.own.find((one) => one.id === id)?.text ?? null;
}

/** A person's own that fit assets of a type, in their order. */
export function ownSnippetsFor({ own }: Snippets, assetType: AssetType): readonly OwnSnippet[] {
  return own.filter((one) => one.assetType === null || one.assetType === assetType);
}
