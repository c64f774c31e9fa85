import type { AssetType, SnippetTool } from './assets.ts';

interface SnippetAsset {
  readonly id: number;
  readonly name: string;
  readonly assetType: AssetType;
}

type Write = (asset: { readonly id: number; readonly name: string }) => string;

const snippets: Readonly<Record<SnippetTool, Readonly<Record<AssetType, Write>>>> = {
  cesiumjs: {
    '3DTILES': ({ id, name }) => `// ${name}
const tileset = await Cesium.Cesium3DTileset.fromIonAssetId(${id});
viewer.scene.primitives.add(tileset);
await viewer.zoomTo(tileset);
`,
    IMAGERY: ({ id, name }) => `// ${name}
const provider = await Cesium.IonImageryProvider.fromAssetId(${id});
const layer = viewer.imageryLayers.addImageryProvider(provider);
await viewer.zoomTo(layer);
`,
    TERRAIN: ({ id, name }) => `// ${name}
viewer.scene.setTerrain(new Cesium.Terrain(Cesium.CesiumTerrainProvider.fromIonAssetId(${id})));
`,
  },
  unreal: {
    '3DTILES': ({ id, name }) => `// ${name}
ACesium3DTileset* Tileset = GetWorld()->SpawnActor<ACesium3DTileset>();
Tileset->SetTilesetSource(ETilesetSource::FromCesiumIon);
Tileset->SetIonAssetID(${id});
`,
    IMAGERY: ({ id, name }) => `// ${name}, on an ACesium3DTileset* Tileset
UCesiumIonRasterOverlay* Overlay = NewObject<UCesiumIonRasterOverlay>(Tileset);
Overlay->IonAssetID = ${id};
Overlay->RegisterComponent();
Overlay->AddToTileset();
`,
    TERRAIN: ({ id, name }) => `// ${name}
ACesium3DTileset* Terrain = GetWorld()->SpawnActor<ACesium3DTileset>();
Terrain->SetTilesetSource(ETilesetSource::FromCesiumIon);
Terrain->SetIonAssetID(${id});
`,
  },
  unity: {
    '3DTILES': ({ id, name }) => `// ${name}, below a CesiumGeoreference georeference
var tileset = new GameObject("Asset ${id}").AddComponent<CesiumForUnity.Cesium3DTileset>();
tileset.transform.SetParent(georeference.transform, false);
tileset.tilesetSource = CesiumForUnity.CesiumDataSource.FromCesiumIon;
tileset.ionAssetID = ${id};
`,
    IMAGERY: ({ id, name }) => `// ${name}, on a Cesium3DTileset tileset
var overlay = tileset.gameObject.AddComponent<CesiumForUnity.CesiumIonRasterOverlay>();
overlay.ionAssetID = ${id};
`,
    TERRAIN: ({ id, name }) => `// ${name}, below a CesiumGeoreference georeference
var terrain = new GameObject("Asset ${id}").AddComponent<CesiumForUnity.Cesium3DTileset>();
terrain.transform.SetParent(georeference.transform, false);
terrain.tilesetSource = CesiumForUnity.CesiumDataSource.FromCesiumIon;
terrain.ionAssetID = ${id};
`,
  },
};

/** Longest asset name in code, characters. */
const maxName = 200;

/** Returns code that shows an asset in a tool, with the asset's name in a comment. */
export function assetSnippet({ id, name, assetType }: SnippetAsset, tool: SnippetTool): string {
  return snippets[tool][assetType]({ id, name: nameInComment(name) });
}

/** Names are untrusted: keeps them on one line and removes anything that ends the comment or script. */
function nameInComment(name: string): string {
  return name
    .slice(0, maxName)
    .replace(/[\p{C}\p{Zl}\p{Zp}\\]/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('*/', '* /')
    .trim();
}
