import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetSnippet } from '../../../shared/asset-snippets.ts';
import { assetTypes, snippetTools } from '../../../shared/assets.ts';

const asset = { id: 20004, name: 'Town', assetType: '3DTILES' as const };

describe('assetSnippet()', () => {
  it.each(snippetTools)('contains the asset and its id for %s', (tool) => {
    for (const assetType of assetTypes) {
      const code = assetSnippet({ ...asset, assetType }, tool);
      expect(code).toContain('20004');
      expect(code).toMatch(/^\/\/ Town/);
    }
  });

  it('keeps any name inside its comment', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        ...'"\'`\\<>*/$\n\r\u2028\u202e(){};',
        'alert(1)',
        '${',
        '*/',
        '-->',
        '</script>',
      ),
    });
    const plain = assetSnippet({ ...asset, name: 'x' }, 'cesiumjs').split('\n');
    fc.assert(
      fc.property(nasty, (name) => {
        const [comment, ...code] = assetSnippet({ ...asset, name }, 'cesiumjs').split(/[\n\r\u2028\u2029]/);
        expect(comment).toMatch(/^\/\/ /);
        expect(comment).not.toMatch(/[\\<>\p{C}]|\*\//u);
        expect(code).toEqual(plain.slice(1));
      }),
    );
  });
});
