import { expect, it } from 'vitest';
import { createAssetOffers } from '../../../../main/desktop/notices/asset-offers.ts';
import { assetSnippet } from '../../../../shared/asset-snippets.ts';
import { snippetTools } from '../../../../shared/assets.ts';
import { job } from '../stand-ins.ts';

const address = { name: 'Survey', baseUrl: 'https://api.example.com', authUrl: 'https://example.com' };

const asset = { id: 7, name: 'Flight', assetType: '3DTILES' } as const;

function offers(isSignedIn = true) {
  const actionsDone: string[] = [];
  const makeOffers = createAssetOffers({
    addressOf: () => (isSignedIn ? address : undefined),
    copy: (text) => actionsDone.push(text),
    openPage: (page) => actionsDone.push(`open ${page}`),
  });
  const actions = makeOffers(job({ status: 'complete', assetType: '3DTILES', name: 'Flight' }), 7);
  return { made: actions, did: actionsDone };
}

it("an asset notice offers the actions of the asset's row", () => {
  const { made: actions, did: actionsDone } = offers();
  expect(actions.map(({ text }) => text)).toEqual([
    'Open',
    'Copy asset ID',
    'Copy link',
    'Copy code for CesiumJS',
    'Copy code for Unreal',
    'Copy code for Unity',
  ]);
  for (const { run } of actions) run();
  expect(actionsDone[0]).toMatch(/^open https:\/\/example\.com\/.*7/);
  expect(actionsDone[1]).toBe('7');
  expect(`open ${actionsDone[2]}`).toBe(actionsDone[0]);
  expect(actionsDone.slice(-3)).toEqual(snippetTools.map((tool) => assetSnippet(asset, tool, address)));
});

it('an asset notice offers only the id without its account', () => {
  expect(offers(false).made.map(({ text }) => text)).toEqual(['Copy asset ID']);
});
