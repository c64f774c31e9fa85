import { expect, it, vi } from 'vitest';
import { createAssetOffers } from '../../../../main/desktop/notices/asset-offers.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';
import { job } from '../stand-ins.ts';

vi.mock('electron', () => ({ clipboard: {} }));

const address = { name: 'Survey', baseUrl: 'https://api.example.com', authUrl: 'https://example.com' };

function offers(signedIn = true) {
  const settings = settingsInMemory();
  settings.update({
    snippets: {
      changed: [{ tool: 'unity', assetType: '3DTILES', text: 'show({assetId}, "{service}")' }],
      own: [
        { id: 'own-1', name: 'deck.gl', assetType: '3DTILES', text: 'deck({assetId})' },
        { id: 'own-2', name: 'Relief', assetType: 'TERRAIN', text: 'relief({assetId})' },
      ],
    },
  });
  const did: string[] = [];
  const make = createAssetOffers({
    settings,
    addressOf: () => (signedIn ? address : undefined),
    copy: (text) => did.push(text),
    open: (to) => did.push(`open ${to}`),
  });
  const made = make(job({ status: 'complete', assetType: '3DTILES', name: 'Flight' }), 7);
  return { made, did };
}

it('a notice of an asset offers what the menu of its row does, by the person’s templates', () => {
  const { made, did } = offers();
  expect(made.map(({ text }) => text)).toEqual([
    'Open',
    'Copy asset ID',
    'Copy link',
    'Copy code for CesiumJS',
    'Copy code for Unreal',
    'Copy code for Unity',
    'Copy “deck.gl”',
  ]);
  for (const { run } of made) run();
  expect(did[0]).toMatch(/^open https:\/\/example\.com\/.*7/);
  expect(did[1]).toBe('7');
  expect(`open ${did[2]}`).toBe(did[0]);
  expect(did.slice(-2)).toEqual(['show(7, "https://api.example.com")', 'deck(7)']);
});

it('without its account only the id is left', () => {
  expect(offers(false).made.map(({ text }) => text)).toEqual(['Copy asset ID']);
});
