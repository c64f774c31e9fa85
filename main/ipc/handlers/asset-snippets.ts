import type { AssetType, SnippetTool } from '../../../shared/assets.ts';

/** What a snippet is made for. */
export interface SnippetAsset {
  readonly id: number;
  readonly name: string;
  readonly assetType: AssetType;
}

/** `{id}` and `{name}` stand for those of the asset; the name appears in comments and texts alone. */
const templates: Readonly<Record<SnippetTool, Readonly<Record<AssetType, string>>>> = {
  cesiumjs: {
    '3DTILES': `// {name}
const tileset = await Cesium.Cesium3DTileset.fromIonAssetId({id});
viewer.scene.primitives.add(tileset);
await viewer.zoomTo(tileset);
`,
    IMAGERY: `// {name}
const provider = await Cesium.IonImageryProvider.fromAssetId({id});
const layer = viewer.imageryLayers.addImageryProvider(provider);
await viewer.zoomTo(layer);
`,
    TERRAIN: `// {name}
viewer.scene.setTerrain(new Cesium.Terrain(Cesium.CesiumTerrainProvider.fromIonAssetId({id})));
`,
  },
  unreal: {
    '3DTILES': `// {name}
ACesium3DTileset* Tileset = GetWorld()->SpawnActor<ACesium3DTileset>();
Tileset->SetTilesetSource(ETilesetSource::FromCesiumIon);
Tileset->SetIonAssetID({id});
`,
    IMAGERY: `// {name}, on an ACesium3DTileset* Tileset
UCesiumIonRasterOverlay* Overlay = NewObject<UCesiumIonRasterOverlay>(Tileset);
Overlay->IonAssetID = {id};
Overlay->RegisterComponent();
Overlay->AddToTileset();
`,
    TERRAIN: `// {name}
ACesium3DTileset* Terrain = GetWorld()->SpawnActor<ACesium3DTileset>();
Terrain->SetTilesetSource(ETilesetSource::FromCesiumIon);
Terrain->SetIonAssetID({id});
`,
  },
  unity: {
    '3DTILES': `// {name}, below a CesiumGeoreference georeference
var tileset = new GameObject("Asset {id}").AddComponent<CesiumForUnity.Cesium3DTileset>();
tileset.transform.SetParent(georeference.transform, false);
tileset.tilesetSource = CesiumForUnity.CesiumDataSource.FromCesiumIon;
tileset.ionAssetID = {id};
`,
    IMAGERY: `// {name}, on a Cesium3DTileset tileset
var overlay = tileset.gameObject.AddComponent<CesiumForUnity.CesiumIonRasterOverlay>();
overlay.ionAssetID = {id};
`,
    TERRAIN: `// {name}, below a CesiumGeoreference georeference
var terrain = new GameObject("Asset {id}").AddComponent<CesiumForUnity.Cesium3DTileset>();
terrain.transform.SetParent(georeference.transform, false);
terrain.tilesetSource = CesiumForUnity.CesiumDataSource.FromCesiumIon;
terrain.ionAssetID = {id};
`,
  },
};

/** The longest name in a comment, characters. */
const maxName = 200;

/**
 * The code that shows an asset in a tool. Made here of the id and a name on one line, so that a page puts
 * nothing of its own where a person pastes code. Pure.
 */
export function assetSnippet({ id, name, assetType }: SnippetAsset, tool: SnippetTool): string {
  const oneLine = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/gu, ' ').slice(0, maxName);
  return templates[tool][assetType].replaceAll('{id}', String(id)).replace('{name}', () => oneLine.trim());
}
