/** The page of one asset on a globe. It has no preload: its data is `asset.json`. */

import './base-address.ts';
import './globe.css';
import {
  CesiumWidget,
  Color,
  Credit,
  CreditDisplay,
  ImageryLayer,
  Ion,
  TileMapServiceImageryProvider,
} from '@cesium/engine';
import { type GlobeData, loadedTitle } from '../../shared/globe.ts';
import { moveByKeys } from './keys.ts';
import { showAsset } from './layers.ts';

const element = (id: string) => {
  const htmlElement = document.getElementById(id);
  if (!htmlElement) throw new Error(`The page has no ${id}`);
  return htmlElement;
};

const data: GlobeData = await (await fetch('asset.json')).json();
const { texts } = data;
const status = element('status');
document.documentElement.lang = data.language;
element('name').textContent = data.name;
status.textContent = texts.loading;

// The built-in token and logo are of a service that isn't used here.
Ion.defaultAccessToken = '';
CreditDisplay.cesiumCredit = new Credit('CesiumJS', true);

function createWidget(): CesiumWidget | null {
  try {
    return new CesiumWidget(element('globe'), {
      baseLayer: ImageryLayer.fromProviderAsync(
        TileMapServiceImageryProvider.fromUrl('cesium/Assets/Textures/NaturalEarthII'),
      ),
      skyBox: false,
      skyAtmosphere: false,
      scene3DOnly: true,
      showRenderLoopErrors: false,
      creditContainer: element('credits'),
    });
  } catch {
    return null;
  }
}

/**
 * Draws only changes from then on, which saves energy; earlier, the camera would not arrive at the asset. The
 * title tells the main process that a picture can be taken.
 */
function onceLoaded({ scene }: CesiumWidget, isLoaded: () => boolean): void {
  const stop = scene.postRender.addEventListener(() => {
    if (!scene.globe.tilesLoaded || !isLoaded()) return;
    stop();
    scene.requestRenderMode = true;
    document.title = loadedTitle;
  });
}

const widget = createWidget();
if (widget) {
  widget.canvas.tabIndex = 0;
  widget.canvas.ariaLabel = `${data.name}: ${texts.hint}`;
  // Its picture of waves isn't shipped.
  widget.scene.globe.showWaterEffect = false;
  // Near the ground, haze hides the data.
  widget.scene.fog.enabled = false;
  widget.scene.globe.showGroundAtmosphere = false;
  widget.scene.backgroundColor = Color.fromCssColorString('#101418');
  for (const html of data.attributions) widget.creditDisplay.addStaticCredit(new Credit(html, true));
  try {
    const isLoaded = await showAsset(widget, data);
    status.textContent = texts.hint;
    document.body.dataset.state = 'shown';
    onceLoaded(widget, isLoaded);
  } catch {
    status.textContent = texts.failed;
    document.body.dataset.state = 'failed';
  }
  moveByKeys(widget);
} else {
  status.textContent = texts.noGraphics;
  document.body.dataset.state = 'no-graphics';
}
