import { type SnippetTool, snippetTools, type TiledType } from './assets.ts';
import type { ServiceAddress } from './services.ts';

interface SnippetAsset {
  readonly id: number;
  readonly name: string;
  readonly assetType: string;
}

/** Lines of code that name the asset's service. */
type ServiceLines = (address: ServiceAddress) => readonly string[];
/** `server`: whether the lines use the one of `ServiceLines`. */
type AssetLines = (id: number, server: boolean) => readonly string[];

interface Tool {
  readonly service: ServiceLines;
  /** Unreal and Unity only show tiled types. */
  readonly assets: Readonly<Record<TiledType, AssetLines>> & Readonly<Partial<Record<string, AssetLines>>>;
}

const unrealTileset =
  (variable: string): AssetLines =>
  (id, server) => [
    `ACesium3DTileset* ${variable} = GetWorld()->SpawnActor<ACesium3DTileset>();`,
    `${variable}->SetTilesetSource(ETilesetSource::FromCesiumIon);`,
    ...(server ? [`${variable}->SetCesiumIonServer(Server);`] : []),
    `${variable}->SetIonAssetID(${id});`,
  ];

const unityTileset =
  (variable: string): AssetLines =>
  (id, server) => [
    '// Below a CesiumGeoreference georeference',
    `var ${variable} = new GameObject("Asset ${id}").AddComponent<CesiumForUnity.Cesium3DTileset>();`,
    `${variable}.transform.SetParent(georeference.transform, false);`,
    `${variable}.tilesetSource = CesiumForUnity.CesiumDataSource.FromCesiumIon;`,
    ...(server ? [`${variable}.ionServer = server;`] : []),
    `${variable}.ionAssetID = ${id};`,
  ];

const dataSource =
  (name: string, options = ''): AssetLines =>
  (id) => [
    `const resource = await Cesium.IonResource.fromAssetId(${id});`,
    `const source = await Cesium.${name}.load(resource${options});`,
    'await viewer.dataSources.add(source);',
    'await viewer.zoomTo(source);',
  ];

const tools: Readonly<Record<SnippetTool, Tool>> = {
  cesiumjs: {
    // Its addresses are relative to this one.
    service: ({ baseUrl }) => [`Cesium.Ion.defaultServer = ${quoted(`${baseUrl}/`)};`],
    assets: {
      '3DTILES': (id) => [
        `const tileset = await Cesium.Cesium3DTileset.fromIonAssetId(${id});`,
        'viewer.scene.primitives.add(tileset);',
        'await viewer.zoomTo(tileset);',
      ],
      IMAGERY: (id) => [
        `const provider = await Cesium.IonImageryProvider.fromAssetId(${id});`,
        'const layer = viewer.imageryLayers.addImageryProvider(provider);',
        'await viewer.zoomTo(layer);',
      ],
      TERRAIN: (id) => [
        `viewer.scene.setTerrain(new Cesium.Terrain(Cesium.CesiumTerrainProvider.fromIonAssetId(${id})));`,
      ],
      GEOJSON: dataSource('GeoJsonDataSource'),
      CZML: dataSource('CzmlDataSource'),
      KML: dataSource('KmlDataSource', ', { camera: viewer.scene.camera, canvas: viewer.scene.canvas }'),
      GLTF: (id) => [
        `const resource = await Cesium.IonResource.fromAssetId(${id});`,
        'const model = await Cesium.Model.fromGltfAsync({ url: resource });',
        'viewer.scene.primitives.add(model);',
      ],
    },
  },
  unreal: {
    service: ({ baseUrl, authUrl }) => [
      'UCesiumIonServer* Server = NewObject<UCesiumIonServer>();',
      `Server->ServerUrl = TEXT(${quoted(authUrl)});`,
      `Server->ApiUrl = TEXT(${quoted(baseUrl)});`,
    ],
    assets: {
      '3DTILES': unrealTileset('Tileset'),
      IMAGERY: (id, server) => [
        '// On an ACesium3DTileset* Tileset',
        'UCesiumIonRasterOverlay* Overlay = NewObject<UCesiumIonRasterOverlay>(Tileset);',
        ...(server ? ['Overlay->CesiumIonServer = Server;'] : []),
        `Overlay->IonAssetID = ${id};`,
        'Overlay->RegisterComponent();',
        'Overlay->AddToTileset();',
      ],
      TERRAIN: unrealTileset('Terrain'),
    },
  },
  unity: {
    service: ({ baseUrl, authUrl }) => [
      'var server = ScriptableObject.CreateInstance<CesiumForUnity.CesiumIonServer>();',
      `server.serverUrl = ${quoted(authUrl)};`,
      `server.apiUrl = ${quoted(baseUrl)};`,
    ],
    assets: {
      '3DTILES': unityTileset('tileset'),
      IMAGERY: (id, server) => [
        '// On a Cesium3DTileset tileset',
        'var overlay = tileset.gameObject.AddComponent<CesiumForUnity.CesiumIonRasterOverlay>();',
        ...(server ? ['overlay.ionServer = server;'] : []),
        `overlay.ionAssetID = ${id};`,
      ],
      TERRAIN: unityTileset('terrain'),
    },
  },
};

/** The service that the tools use without further code. */
const defaultBaseUrl = 'https://api.cesium.com';

/** Longest asset name in code, characters. */
const maxName = 200;

const cesiumJs = 'https://cesium.com/downloads/cesiumjs/releases/1.130/Build/Cesium';

/** Returns a page that shows an asset with CesiumJS once an access token is filled in. */
export function embedCode(asset: SnippetAsset, address: ServiceAddress): string {
  return `<script src="${cesiumJs}/Cesium.js"></script>
<link rel="stylesheet" href="${cesiumJs}/Widgets/widgets.css">
<div id="globe" style="width: 100%; height: 480px"></div>
<script type="module">
Cesium.Ion.defaultAccessToken = 'ACCESS_TOKEN';
const viewer = new Cesium.Viewer('globe');
${assetSnippet(asset, 'cesiumjs', address).replaceAll('</', '<\\/')}</script>
`;
}
/** Tools that show assets of a type. */
export const snippetToolsFor = (assetType: string): readonly SnippetTool[] =>
  snippetTools.filter((tool) => tools[tool].assets[assetType]);

/** Returns code that shows an asset of a service in a tool, with both in a comment. */
export function assetSnippet(
  { id, name, assetType }: SnippetAsset,
  tool: SnippetTool,
  address: ServiceAddress,
): string {
  const { service, assets } = tools[tool];
  const isOther = address.baseUrl !== defaultBaseUrl;
  const lines = [
    `// ${nameInComment(name)}`,
    `// Asset ${id} of ${address.baseUrl}: use an access token of this service`,
    ...(isOther ? service(address) : []),
    ...(assets[assetType]?.(id, isOther) ?? []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Addresses were checked: they contain neither quotes nor backslashes. */
const quoted = (address: string) => JSON.stringify(address);

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
