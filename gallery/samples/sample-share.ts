import type { Calls } from '../../preload/contract.ts';
import { formatDay, formatExtent, say } from '../../renderer/say.ts';
import { assetSnippet, embedCode } from '../../shared/asset-snippets.ts';
import type { ShareTexts } from '../../shared/assets.ts';
import { cesium } from './sample-accounts.ts';

/** Texts about an asset as main writes them. */
export function sharedAsset(asset: Calls['assets.share']['input']): ShareTexts {
  const link = `${cesium.authUrl}/assets/${asset.id}`;
  const lines = [
    say('share.about', { name: asset.name }),
    link,
    say('share.created', { day: formatDay(Date.UTC(2026, 10, 20, 12)) }),
    say('share.extent', {
      extent: formatExtent({ west: 9.9432, south: 53.5012, east: 10.021, north: 53.5561 }),
    }),
  ];
  return {
    link,
    message: `${lines.join('\n')}\n`,
    embed: embedCode(asset, cesium),
    cesiumjs: assetSnippet(asset, 'cesiumjs', cesium),
    unreal: assetSnippet(asset, 'unreal', cesium),
    unity: assetSnippet(asset, 'unity', cesium),
  };
}
