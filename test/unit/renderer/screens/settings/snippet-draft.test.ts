import { describe, expect, it } from 'vitest';
import {
  defaultOf,
  nameProblem,
  newSnippet,
  type SnippetDraft,
  sampleOf,
  textProblem,
  toolDraft,
  withDraft,
} from '../../../../../renderer/screens/settings/snippets/snippet-draft.ts';
import { defaultSnippets } from '../../../../../shared/snippets/default-snippets.ts';

const none = { changed: [], own: [] };
const link = { id: 'own-1', name: 'Link', assetType: null, text: '{page}' } as const;
const own: SnippetDraft = { kind: 'own', ...link };
const id = () => '7';

describe('editing a template', () => {
  it('keeps what was changed, once, and nothing that is as it was', () => {
    const draft = { ...toolDraft(none, 'unity', 'TERRAIN'), text: 'show({assetId})' };
    const once = withDraft(none, draft, id);
    expect(once.changed).toEqual([{ tool: 'unity', assetType: 'TERRAIN', text: 'show({assetId})' }]);
    expect(withDraft(once, { ...draft, text: 'again({assetId})' }, id).changed).toHaveLength(1);
    expect(toolDraft(once, 'unity', 'TERRAIN').text).toBe('show({assetId})');
    expect(defaultOf(draft)).toBe(defaultSnippets.unity.TERRAIN);
    const restored = { ...draft, text: defaultSnippets.unity.TERRAIN };
    expect(defaultOf(restored)).toBeNull();
    expect(withDraft(once, restored, id)).toEqual(none);
  });

  it('adds one’s own at the end, and changes it in its place', () => {
    const added = withDraft(
      { ...none, own: [link] },
      { ...newSnippet(), name: ' Deck ', text: '{page}' } as SnippetDraft,
      id,
    );
    expect(added.own.map((one) => [one.id, one.name])).toEqual([
      ['own-1', 'Link'],
      ['own-7', 'Deck'],
    ]);
    const changed = withDraft(added, { ...own, text: '{page}#{assetId}' }, id);
    expect(changed.own[0]).toEqual({ ...link, text: '{page}#{assetId}' });
  });

  it('says what is wrong with a name', () => {
    const known = { ...none, own: [link] };
    const named = (name: string): SnippetDraft => ({
      kind: 'own',
      id: null,
      name,
      assetType: null,
      text: '',
    });
    expect(nameProblem(known, named(' '))).toBe('Enter a name.');
    expect(nameProblem(known, named('LINK'))).toBe('There is a template with this name already.');
    expect(nameProblem(known, named('unity'))).toBe('There is a template with this name already.');
    expect(nameProblem(known, own)).toBeNull();
    expect(nameProblem(known, toolDraft(none, 'unity', 'TERRAIN'))).toBeNull();
  });

  it('says what is wrong with a text, in the words of its own braces', () => {
    expect(textProblem({ ...own, text: 'open({assetID})' })).toBe(
      '{assetID} is not a placeholder. Enter {assetId}.',
    );
    expect(textProblem(own)).toBeNull();
  });

  it('shows it for a sample', () => {
    expect(sampleOf({ ...own, text: '{assetId} {name} {assetType} {page}' })).toBe(
      '2481907 Harbour 2026 3DTILES https://example.com/assets/2481907',
    );
  });
});
