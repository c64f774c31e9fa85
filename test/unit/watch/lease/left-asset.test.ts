import { describe, expect, it, vi } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import { fateOfLeft, seeAsset } from '../../../../main/watch/lease/takeover.ts';

const rule = { assetType: '3DTILES', accountId: 'me' } as const;
const seen = (status: string, type = '3DTILES') => ({ type, status });

describe('what becomes of a source whose computer is gone', () => {
  it.each([
    ['is known where its asset is complete', true, seen('COMPLETE'), 'done'],
    ['waits for a person where its asset failed', true, seen('DATA_ERROR'), 'failed'],
    ['waits for a person where tiling failed', true, seen('ERROR'), 'failed'],
    ['waits while its asset is tiled', true, seen('IN_PROGRESS'), 'going'],
    ['waits while its asset is about to be tiled', false, seen('NOT_STARTED'), 'going'],
    ['waits in a status that nobody knows', true, seen('RESTING'), 'going'],
    ['becomes another asset where the files never came', false, seen('AWAITING_FILES'), 'own'],
    ['is asked about where all files are there', true, seen('AWAITING_FILES'), 'ask'],
    ['is asked about where our account can’t see its asset', true, null, 'ask'],
    ['becomes another asset where nobody sees one and no files came', false, null, 'own'],
    [
      'is not done by an asset of another kind, whatever the mark says',
      true,
      seen('COMPLETE', 'IMAGERY'),
      'ask',
    ],
  ] as const)('%s', (_, uploaded, asset, fate) => {
    expect(fateOfLeft({ uploaded }, asset, rule)).toBe(fate);
  });
});

describe('the asset that a mark names', () => {
  const named = { id: 7, service: 'https://api', uploaded: true };
  const accounts = (readAsset: () => Promise<never>) => ({
    isReady: () => true,
    nameOf: (id: string) => id,
    serviceOf: () => 'https://api',
    readAsset: vi.fn(readAsset),
  });

  it('is not looked for at another service', async () => {
    const deps = accounts(async () => Promise.reject(new Error('asked')));
    expect(await seeAsset({ ...named, service: 'https://other' }, rule, deps)).toBeNull();
    expect(deps.readAsset).not.toHaveBeenCalled();
  });

  it('is none where the service says so, and not known where nobody says anything', async () => {
    const gone = new TileliftError('asset-not-found', { subject: '7' });
    expect(
      await seeAsset(
        named,
        rule,
        accounts(async () => Promise.reject(gone)),
      ),
    ).toBeNull();
    const away = new TileliftError('service-unreachable', { subject: 'api' });
    await expect(
      seeAsset(
        named,
        rule,
        accounts(async () => Promise.reject(away)),
      ),
    ).rejects.toBe(away);
  });
});
