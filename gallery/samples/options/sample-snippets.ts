import type { Snippets } from '../../../preload/contract.ts';

/** One of Tilelift's templates in a person's words, and three of their own. */
export const ownSnippets: Snippets = {
  changed: [
    {
      tool: 'cesiumjs',
      assetType: 'IMAGERY',
      text: `// {name}, {page}
const layer = Cesium.ImageryLayer.fromProviderAsync(
  Cesium.IonImageryProvider.fromAssetId({assetId}, { server: '{service}' }),
);
layer.alpha = 0.85;
viewer.imageryLayers.add(layer);
`,
    },
  ],
  own: [
    { id: 'own-link', name: 'Markdown link', assetType: null, text: '[{name}]({page})' },
    { id: 'own-deck', name: 'deck.gl', assetType: '3DTILES', text: 'new Tile3DLayer({assetId})' },
    {
      id: 'own-long',
      name: 'Geoportal des Landkreises, Eintrag für den Datenkatalog 2026',
      assetType: 'TERRAIN',
      text: '{assetId};{name}',
    },
  ],
};
