import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assetSnippet, embedCode, snippetToolsFor } from '../../../shared/asset-snippets.ts';
import { assetTypes, type SnippetTool, snippetTools, tiledTypes } from '../../../shared/assets.ts';

const ion = { baseUrl: 'https://api.cesium.com', authUrl: 'https://ion.cesium.com' };
const survey = { baseUrl: 'https://api.survey.example/tiles', authUrl: 'https://survey.example' };
const asset = { id: 20004, name: 'Town', assetType: '3DTILES' as const };

const typesOf = (tool: SnippetTool) => assetTypes.filter((type) => snippetToolsFor(type).includes(tool));

it('assetSnippet() is there for all types in CesiumJS, and for tiled ones in Unreal and Unity', () => {
  expect(typesOf('cesiumjs')).toEqual(assetTypes);
  for (const tool of ['unreal', 'unity'] as const) expect(typesOf(tool)).toEqual(tiledTypes);
});

it.each(snippetTools)('assetSnippet() contains the asset and its id for %s', (tool) => {
  for (const assetType of typesOf(tool)) {
    const code = assetSnippet({ ...asset, assetType }, tool, ion);
    expect(code).toContain('20004');
    expect(code).toMatch(/^\/\/ Town/);
  }
});

it.each(snippetTools)('assetSnippet() loads the asset from its own service in %s', (tool) => {
  for (const assetType of typesOf(tool)) {
    const code = assetSnippet({ ...asset, assetType }, tool, survey).split('\n');
    const isSet = code.findIndex((line) => !line.startsWith('//') && line.includes(survey.baseUrl));
    const isUsed = code.findIndex((line) => !line.startsWith('//') && line.includes('20004'));
    expect(isSet).toBeGreaterThan(0);
    expect(isUsed).toBeGreaterThan(isSet);
    if (tool !== 'cesiumjs')
      expect(code.join()).toMatch(/ionServer = server|IonServer(?:\(Server\)| = Server)/);
  }
});

it('assetSnippet() names the service in a comment, and sets no server for the default of the tools', () => {
  const code = assetSnippet(asset, 'cesiumjs', ion);
  expect(code).toContain('// Asset 20004 of https://api.cesium.com');
  expect(code).not.toContain('defaultServer');
});

it('assetSnippet() ends the address of the API with a slash for CesiumJS', () => {
  expect(assetSnippet(asset, 'cesiumjs', survey)).toContain(
    'Cesium.Ion.defaultServer = "https://api.survey.example/tiles/";',
  );
});

it('embedCode() loads CesiumJS, then sets the token, then shows the asset of its own service', () => {
  const page = embedCode(asset, survey);
  const [, address = ''] = /<script src="(https:[^"]+)\/Cesium\.js"><\/script>/.exec(page) ?? [];
  expect(page).toContain(`<link rel="stylesheet" href="${address}/Widgets/widgets.css">`);
  const steps = [
    address,
    '<div id="globe"',
    "Cesium.Ion.defaultAccessToken = 'ACCESS_TOKEN';",
    "const viewer = new Cesium.Viewer('globe');",
    assetSnippet(asset, 'cesiumjs', survey),
  ].map((step) => page.indexOf(step));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
});

it('S74: assetSnippet() keeps any name inside its comment', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(...'"\'`\\<>*/$\n\r\u2028\u202e(){};', 'alert(1)', '${', '*/', '-->', '</script>'),
  });
  const plain = assetSnippet({ ...asset, name: 'x' }, 'cesiumjs', survey).split('\n');
  fc.assert(
    fc.property(nasty, (name) => {
      const [comment, ...code] = assetSnippet({ ...asset, name }, 'cesiumjs', survey).split(
        /[\n\r\u2028\u2029]/,
      );
      expect(comment).toMatch(/^\/\/ /);
      expect(comment).not.toMatch(/[\\<>\p{C}]|\*\//u);
      expect(code).toEqual(plain.slice(1));
      expect(embedCode({ ...asset, name }, survey).match(/<\/script/gi)).toHaveLength(2);
    }),
  );
});
