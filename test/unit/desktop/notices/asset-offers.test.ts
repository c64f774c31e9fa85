import { expect, it } from 'vitest';
import { createAssetOffers } from '../../../../main/desktop/notices/asset-offers.ts';
import { assetSnippet } from '../../../../shared/asset-snippets.ts';
import { snippetTools } from '../../../../shared/assets.ts';
import { job } from '../stand-ins.ts';

const address = { name: 'Survey', baseUrl: 'https://api.example.com', authUrl: 'https://example.com' };

const asset = { id: 7, name: 'Flight', assetType: '3DTILES' } as const;

function offers(signedIn = true) {
  const did: string[] = [];
  const make = createAssetOffers({
    addressOf: () => (signedIn ? address : undefined),
    copy: (text) => did.push(text),
    openPage: (page) => did.push(`open ${page}`),
  });
  const actions = make(job({ status: 'complete', assetType: '3DTILES', name: 'Flight' }), 7);
  return { made: actions, did };
}

it("an asset notice offers the actions of the asset's row", () => {
  const { made: actions, did } = offers();
  expect(actions.map(({ text }) => text)).toEqual([
    'Open',
    'Copy asset ID',
    'Copy link',
    'Copy code for CesiumJS',
    'Copy code for Unreal',
    'Copy code for Unity',
  ]);
  for (const { run } of actions) run();
  expect(did[0]).toMatch(/^open https:\/\/example\.com\/.*7/);
  expect(did[1]).toBe('7');
  expect(`open ${did[2]}`).toBe(did[0]);
  expect(did.slice(-3)).toEqual(snippetTools.map((tool) => assetSnippet(asset, tool, address)));
});

it('an asset notice offers only the id without its account', () => {
  expect(offers(false).made.map(({ text }) => text)).toEqual(['Copy asset ID']);
});
