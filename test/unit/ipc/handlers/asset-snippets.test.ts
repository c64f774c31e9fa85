import { describe, expect, it } from 'vitest';
import { assetSnippet } from '../../../../main/ipc/handlers/asset-snippets.ts';
import { assetTypes, snippetTools } from '../../../../shared/assets.ts';

const asset = { id: 20004, name: 'Town', assetType: '3DTILES' as const };

describe('a snippet', () => {
  it.each(snippetTools)('for %s names the asset of each type', (tool) => {
    for (const assetType of assetTypes) {
      const text = assetSnippet({ ...asset, assetType }, tool);
      expect(text).toContain('20004');
      expect(text.split('\n')[0]).toMatch(/^\/\/ Town/);
      expect(text).not.toMatch(/\{(?:id|name)\}/);
    }
  });

  it('keeps a name in its comment, whatever it holds', () => {
    const name = 'Town\nalert(1)\r\u2028alert(2)\\\u202e $& {id}';
    const [first = '', ...code] = assetSnippet({ ...asset, name }, 'cesiumjs').split(/[\n\r\u2028\u2029]/);
    expect(first).toContain('alert(1)');
    expect(first).not.toMatch(/[\\\u202e]/);
    expect(code.join('\n')).not.toContain('alert');
  });
});
