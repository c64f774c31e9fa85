import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetTypes, snippetTools } from '../../../../shared/assets.ts';
import { defaultSnippets } from '../../../../shared/snippets/default-snippets.ts';
import {
  filledSnippet,
  maxSnippetText,
  placeholders,
  snippetProblem,
} from '../../../../shared/snippets/snippet-text.ts';

const asset = { id: 20004, name: 'Town', assetType: '3DTILES' as const };
const place = { service: 'https://api.example.com', page: 'https://example.com/assets/20004' };
const fill = (text: string, name = 'Town') => filledSnippet(text, { ...asset, name }, place);

describe('a template', () => {
  it.each(snippetTools)('that Tilelift brings along for %s can be kept and names each asset', (tool) => {
    for (const assetType of assetTypes) {
      const text = defaultSnippets[tool][assetType];
      expect(snippetProblem(text)).toBeNull();
      const filled = filledSnippet(text, { ...asset, assetType }, place);
      expect(filled).toContain('20004');
      expect(filled.split('\n')[0]).toMatch(/^\/\/ Town/);
    }
  });

  it('has all its placeholders replaced, and other braces left', () => {
    const all = placeholders.map((one) => `{${one}}`).join(' ');
    expect(fill(all)).toBe(`20004 Town 3DTILES ${place.service} ${place.page}`);
    expect(fill('import { Viewer } from "cesium"; const x = {viewer};{assetId}')).toBe(
      'import { Viewer } from "cesium"; const x = {viewer};20004',
    );
  });

  it.each([
    [' \n', { kind: 'empty' }],
    [`{assetId}${'x'.repeat(maxSnippetText)}`, { kind: 'too-long' }],
    ['show({assetId})\u202e', { kind: 'hidden-characters' }],
    ['show({assetId})\r\n', { kind: 'hidden-characters' }],
    ['show(42)', { kind: 'no-asset' }],
    ['show({asset_id})', { kind: 'misspelt', written: 'asset_id', meant: 'assetId' }],
    ['show({ID}, {assetId})', { kind: 'misspelt', written: 'ID', meant: 'assetId' }],
    ["Ion.defaultAccessToken = 'eyJhbGciOiJIUzI1NiJ9.abc.def'; {assetId}", { kind: 'secret' }],
    ["const accessToken = '0123456789abcdef0123'; {assetId}", { kind: 'secret' }],
    ['fetch("{page}?access_token=k3jf93jf93jf93jf93jf")', { kind: 'secret' }],
    ['curl -H "Authorization: Bearer k3jf93jf93jf93jf93jf" {page}', { kind: 'secret' }],
    ['https://mara:geheim7@example.com/{assetId}', { kind: 'secret' }],
  ])('%j is refused', (text, problem) => {
    expect(snippetProblem(text)).toEqual(problem);
  });

  it.each([
    'Cesium.Ion.defaultAccessToken = process.env.ION_TOKEN; {assetId}',
    "Ion.defaultAccessToken = 'your token'; {assetId}",
    'tileset.setAccessToken(await readTokenFromTheSettings()); {assetId}',
    '<iframe src="{page}"></iframe>',
    'const asset = { id: {assetId}, key: "{name}" };',
  ])('%j can be kept', (text) => {
    expect(snippetProblem(text)).toBeNull();
  });

  it('keeps a name where it stands, whatever the name holds', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        ...'"\'`\\<>*/$\n\r\u2028\u202e(){};',
        'alert(1)',
        '{assetId}',
        '${',
        '*/',
        '-->',
      ),
    });
    fc.assert(
      fc.property(nasty, (name) => {
        expect(fill('"{name}"', name).slice(1, -1)).not.toMatch(/["\\\n\r\u2028]/);
        expect(fill("'{name}'", name).slice(1, -1)).not.toMatch(/['\\\n\r\u2028]/);
        // Nothing of it is replaced either: not in templates of JavaScript, shells, Python or C#.
        expect(fill('`{name}`', name).slice(1, -1)).not.toMatch(/[`\\${}]/);
        expect(fill('/*{name}*/', name).slice(2, -2)).not.toContain('*/');
        expect(fill('<!--{name}-->', name).slice(4, -3)).not.toMatch(/[<>]/);
        expect(fill('// {name}', name).split(/[\n\r\u2028\u2029]/)).toHaveLength(1);
        expect(fill('{name}', name)).not.toContain('20004');
      }),
    );
  });
});
