import type { AssetType, SnippetTool } from '../assets.ts';

/** The code that shows an asset in a tool, as Tilelift brings it along; people may change each. */
export const defaultSnippets: Readonly<Record<SnippetTool, Readonly<Record<AssetType, string>>>> = {
  cesiumjs: {
    '3DTILES': `// {name}
const tileset = await Cesium.Cesium3DTileset.fromIonAssetId({assetId});
viewer.scene.primitives.add(tileset);
await viewer.zoomTo(tileset);
`,
    IMAGERY: `// {name}
const provider = await Cesium.IonImageryProvider.fromAssetId({assetId});
const layer = viewer.imageryLayers.addImageryProvider(provider);
await viewer.zoomTo(layer);
`,
    TERRAIN: `// {name}
viewer.scene.setTerrain(new Cesium.Terrain(Cesium.CesiumTerrainProvider.fromIonAssetId({assetId})));
`,
  },
  unreal: {
    '3DTILES': `// {name}
ACesium3DTileset* Tileset = GetWorld()->SpawnActor<ACesium3DTileset>();
Tileset->SetTilesetSource(ETilesetSource::FromCesiumIon);
Tileset->SetIonAssetID({assetId});
`,
    IMAGERY: `// {name}, on an ACesium3DTileset* Tileset
UCesiumIonRasterOverlay* Overlay = NewObject<UCesiumIonRasterOverlay>(Tileset);
Overlay->IonAssetID = {assetId};
Overlay->RegisterComponent();
Overlay->AddToTileset();
`,
    TERRAIN: `// {name}
ACesium3DTileset* Terrain = GetWorld()->SpawnActor<ACesium3DTileset>();
Terrain->SetTilesetSource(ETilesetSource::FromCesiumIon);
Terrain->SetIonAssetID({assetId});
`,
  },
  unity: {
    '3DTILES': `// {name}, below a CesiumGeoreference georeference
var tileset = new GameObject("Asset {assetId}").AddComponent<CesiumForUnity.Cesium3DTileset>();
tileset.transform.SetParent(georeference.transform, false);
tileset.tilesetSource = CesiumForUnity.CesiumDataSource.FromCesiumIon;
tileset.ionAssetID = {assetId};
`,
    IMAGERY: `// {name}, on a Cesium3DTileset tileset
var overlay = tileset.gameObject.AddComponent<CesiumForUnity.CesiumIonRasterOverlay>();
overlay.ionAssetID = {assetId};
`,
    TERRAIN: `// {name}, below a CesiumGeoreference georeference
var terrain = new GameObject("Asset {assetId}").AddComponent<CesiumForUnity.Cesium3DTileset>();
terrain.transform.SetParent(georeference.transform, false);
terrain.tilesetSource = CesiumForUnity.CesiumDataSource.FromCesiumIon;
terrain.ionAssetID = {assetId};
`,
  },
};
