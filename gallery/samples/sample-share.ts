import type { Calls } from '../../preload/contract.ts';
import { assetSnippet, embedCode } from '../../shared/asset-snippets.ts';
import type { ShareTexts } from '../../shared/assets.ts';
import { cesium } from './sample-accounts.ts';

/** Texts about an asset as main writes them. */
export function sharedAsset(asset: Calls['assets.share']['input']): ShareTexts {
  const link = `${cesium.authUrl}/assets/${asset.id}`;
  const lines = [
    `${asset.name} is ready to view:`,
    link,
    'Created: 20 November 2026',
    'Extent: 53.5012° to 53.5561° N, 9.9432° to 10.0210° E',
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
