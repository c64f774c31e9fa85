import { describe, expect, it } from 'vitest';
import { readSettingsFile } from '../../../../main/settings.ts';
import { snippetIdSchema, snippetsSchema } from '../../../../shared/schemas/snippets.ts';
import { ownSnippetsFor, snippetById, toolSnippet } from '../../../../shared/snippets/choose-snippet.ts';
import { defaultSnippets } from '../../../../shared/snippets/default-snippets.ts';

const changed = { tool: 'cesiumjs', assetType: 'IMAGERY', text: 'show({assetId})' } as const;
const link = { id: 'own-1', name: 'Link', assetType: null, text: '{page}' } as const;
const deck = { id: 'own-2', name: 'deck.gl', assetType: 'TERRAIN', text: 'deck({assetId})' } as const;
const kept = { changed: [changed], own: [link, deck] };

describe('templates in the settings', () => {
  it('are none in settings of before, and so Tilelift’s own count', () => {
    const { snippets } = readSettingsFile({ appearance: 'dark' }).settings;
    expect(snippets).toEqual({ changed: [], own: [] });
    expect(snippetById(snippets, 'unity', 'TERRAIN')).toBe(defaultSnippets.unity.TERRAIN);
  });

  it('come back as they were written', () => {
    const file = readSettingsFile({ snippets: kept });
    expect(file.settings.snippets).toEqual(kept);
    expect(readSettingsFile(file.contentOf(file.settings)).settings.snippets).toEqual(kept);
  });

  it('one that can’t be read takes no other along', () => {
    const secret = { ...deck, id: 'own-3', text: "token = 'k3jf93jf93jf93jf93jf'; {assetId}" };
    const stored = { changed: [{ ...changed, tool: 'blender' }, changed], own: [secret, link, 7] };
    expect(readSettingsFile({ snippets: stored }).settings.snippets).toEqual({
      changed: [changed],
      own: [link],
    });
    expect(readSettingsFile({ snippets: 'x', appearance: 'dark' }).settings).toMatchObject({
      snippets: { changed: [], own: [] },
      appearance: 'dark',
    });
  });
});

describe('a template', () => {
  it('counts for its tool and its type alone', () => {
    expect(toolSnippet(kept, 'cesiumjs', 'IMAGERY')).toBe('show({assetId})');
    expect(toolSnippet(kept, 'cesiumjs', 'TERRAIN')).toBe(defaultSnippets.cesiumjs.TERRAIN);
  });

  it('of the person’s own is offered for its type, or for all', () => {
    expect(ownSnippetsFor(kept, 'IMAGERY')).toEqual([link]);
    expect(ownSnippetsFor(kept, 'TERRAIN')).toEqual([link, deck]);
    expect(snippetById(kept, 'own-2', 'TERRAIN')).toBe('deck({assetId})');
    expect(snippetById(kept, 'own-9', 'TERRAIN')).toBeNull();
  });

  it('comes from a page only as one that can be kept', () => {
    const own = (part: object) => snippetsSchema.safeParse({ changed: [], own: [{ ...link, ...part }] });
    expect(own({}).success).toBe(true);
    expect(own({ id: 'cesiumjs' }).success).toBe(false);
    expect(own({ name: ' ' }).success).toBe(false);
    expect(own({ text: 'x' }).success).toBe(false);
    expect(snippetIdSchema.safeParse('own-a b').success).toBe(false);
    expect(snippetIdSchema.safeParse('unity').success).toBe(true);
  });
});
