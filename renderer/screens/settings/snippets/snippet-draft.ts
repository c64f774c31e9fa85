import type { AssetType, OwnSnippet, Snippets } from '../../../../preload/contract.ts';
import { type SnippetTool, snippetTools } from '../../../../shared/assets.ts';
import { toolSnippet } from '../../../../shared/snippets/choose-snippet.ts';
import { defaultSnippets } from '../../../../shared/snippets/default-snippets.ts';
import {
  filledSnippet,
  type SnippetProblem,
  snippetProblem,
} from '../../../../shared/snippets/snippet-text.ts';
import { say } from '../../../say.ts';
import { toolNames } from '../../../words/snippets.ts';

/** A template that a person is editing: one of Tilelift's, or their own. */
export type SnippetDraft =
  | {
      readonly kind: 'tool';
      readonly tool: SnippetTool;
      readonly assetType: AssetType;
      readonly text: string;
    }
  | (Omit<OwnSnippet, 'id'> & { readonly kind: 'own'; readonly id: OwnSnippet['id'] | null });

/** Where a new template begins. */
export function newSnippet(): SnippetDraft {
  return { kind: 'own', id: null, name: '', assetType: null, text: '' };
}

/** One of Tilelift's, as it is now. */
export function toolDraft(snippets: Snippets, tool: SnippetTool, assetType: AssetType): SnippetDraft {
  return { kind: 'tool', tool, assetType, text: toolSnippet(snippets, tool, assetType) };
}

export function isChanged({ changed }: Snippets, tool: SnippetTool, assetType: AssetType): boolean {
  return changed.some((one) => one.tool === tool && one.assetType === assetType);
}

/** What Tilelift brings along in place of what is edited; null where it brings nothing, or it is that. */
export function defaultOf(draft: SnippetDraft): string | null {
  if (draft.kind === 'own') return null;
  const text = defaultSnippets[draft.tool][draft.assetType];
  return text === draft.text ? null : text;
}

/** All of them with the one that was edited. What is as Tilelift brings it along is not kept. */
export function withDraft(snippets: Snippets, draft: SnippetDraft, newId: () => string): Snippets {
  const { changed, own } = snippets;
  if (draft.kind === 'own') {
    const { kind: _kind, ...kept } = draft;
    const one: OwnSnippet = { ...kept, name: draft.name.trim(), id: draft.id ?? `own-${newId()}` };
    const at = own.findIndex(({ id }) => id === one.id);
    return { changed, own: at < 0 ? [...own, one] : own.with(at, one) };
  }
  const { tool, assetType, text } = draft;
  const others = changed.filter((one) => one.tool !== tool || one.assetType !== assetType);
  return { own, changed: defaultOf(draft) === null ? others : [...others, { tool, assetType, text }] };
}

/** Why a name can't be: of one's own templates each has another. */
export function nameProblem({ own }: Snippets, draft: SnippetDraft): string | null {
  if (draft.kind === 'tool') return null;
  const name = draft.name.trim().toLowerCase();
  if (name === '') return say('snippets.problem.noName');
  const taken = [
    ...snippetTools.map((tool) => toolNames[tool]),
    ...own.filter(({ id }) => id !== draft.id).map((one) => one.name),
  ];
  return taken.some((one) => one.toLowerCase() === name) ? say('snippets.problem.nameTaken') : null;
}

/** Why its text can't be. */
export function textProblem({ text }: SnippetDraft): string | null {
  const problem = snippetProblem(text);
  return problem && problemWords(problem);
}

function problemWords(problem: SnippetProblem): string {
  if (problem.kind !== 'misspelt') return say(`snippets.problem.${problem.kind}`);
  const { written, meant } = problem;
  return say('snippets.problem.misspelt', { written: `{${written}}`, meant: `{${meant}}` });
}

/** How it looks for an asset that stands for all. */
export function sampleOf({ text, assetType }: SnippetDraft): string {
  const asset = {
    id: 2_481_907,
    name: say('snippets.sampleName'),
    assetType: assetType ?? '3DTILES',
  } as const;
  return filledSnippet(text, asset, {
    service: 'https://api.example.com',
    page: 'https://example.com/assets/2481907',
  });
}
