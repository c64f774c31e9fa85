import {
  Cesium3DTileset,
  CesiumTerrainProvider,
  type CesiumWidget,
  CzmlDataSource,
  type DataSource,
  GeoJsonDataSource,
  HeadingPitchRange,
  ImageryLayer,
  KmlDataSource,
  Rectangle,
  Resource,
  TileMapServiceImageryProvider,
} from '@cesium/engine';
import type { GlobeData } from '../../shared/globe.ts';

/** So that buildings are seen from above and from a side, radians. */
const obliquePitch = -0.6;

const always = () => true;

/**
 * Adds the asset to the globe and moves the camera to it.
 *
 * @returns whether its visible parts are loaded, apart from what belongs to the globe
 */
export async function showAsset(widget: CesiumWidget, data: GlobeData): Promise<() => boolean> {
  const resource = new Resource({
    url: data.url,
    headers: data.accessToken === '' ? {} : { Authorization: `Bearer ${data.accessToken}` },
  });
  switch (data.type) {
    case '3DTILES': {
      const tileset = await Cesium3DTileset.fromUrl(resource);
      widget.scene.primitives.add(tileset);
      const range = Math.max(tileset.boundingSphere.radius * 2.5, 50);
      await widget.zoomTo(tileset, new HeadingPitchRange(0, obliquePitch, range));
      return () => tileset.tilesLoaded;
    }
    case 'IMAGERY': {
      const provider = await TileMapServiceImageryProvider.fromUrl(resource);
      widget.scene.imageryLayers.add(new ImageryLayer(provider));
      widget.camera.setView({ destination: provider.rectangle });
      return always;
    }
    case 'TERRAIN': {
      widget.scene.terrainProvider = await CesiumTerrainProvider.fromUrl(resource, {
        requestVertexNormals: true,
      });
      const destination = await terrainRectangle(resource);
      widget.camera.setView({ destination });
      return always;
    }
    case 'GEOJSON':
      return showDocument(widget, await GeoJsonDataSource.load(resource));
    case 'KML':
      return showDocument(
        widget,
        await KmlDataSource.load(resource, { camera: widget.camera, canvas: widget.canvas }),
      );
    case 'CZML':
      return showDocument(widget, await CzmlDataSource.load(resource));
  }
}

async function showDocument(widget: CesiumWidget, source: DataSource): Promise<() => boolean> {
  await widget.dataSources.add(source);
  await widget.zoomTo(source);
  return always;
}

/** From `bounds` in layer.json: west, south, east, north in degrees. */
async function terrainRectangle(resource: Resource): Promise<Rectangle> {
  const folder = resource.clone();
  folder.appendForwardSlash();
  const layer: unknown = await folder.getDerivedResource({ url: 'layer.json' }).fetchJson();
  const bounds = layer && typeof layer === 'object' && 'bounds' in layer ? layer.bounds : null;
  if (!Array.isArray(bounds) || bounds.length !== 4 || !bounds.every(Number.isFinite))
    return Rectangle.MAX_VALUE;
  const [west, south, east, north] = bounds.map(Number);
  return Rectangle.fromDegrees(west, south, east, north);
}
