import { describe, expect, it, vi } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import { fateOfLeft, seeAsset } from '../../../../main/watch/lease/takeover.ts';

const rule = { assetType: '3DTILES', accountId: 'me' } as const;
const seen = (status: string, type = '3DTILES') => ({ type, status });

describe('fateOfLeft()', () => {
  it.each([
    ['returns done if the asset is complete', true, seen('COMPLETE'), 'done'],
    ['returns failed if the asset has a data error', true, seen('DATA_ERROR'), 'failed'],
    ['returns failed if tiling failed', true, seen('ERROR'), 'failed'],
    ['returns going while the asset is tiled', true, seen('IN_PROGRESS'), 'going'],
    ['returns going before tiling starts', false, seen('NOT_STARTED'), 'going'],
    ['returns going for an unknown status', true, seen('RESTING'), 'going'],
    ['returns own if the files were never uploaded', false, seen('AWAITING_FILES'), 'own'],
    ['returns ask if all files are uploaded but tiling hasn’t started', true, seen('AWAITING_FILES'), 'ask'],
    ['returns ask if the account can’t see the asset', true, null, 'ask'],
    ['returns own without an asset and without uploaded files', false, null, 'own'],
    [
      'returns ask for an asset of another type, whatever the mark says',
      true,
      seen('COMPLETE', 'IMAGERY'),
      'ask',
    ],
  ] as const)('%s', (_, uploaded, asset, fate) => {
    expect(fateOfLeft({ uploaded }, asset, rule)).toBe(fate);
  });
});

describe('seeAsset()', () => {
  const named = { id: 7, service: 'https://api', uploaded: true };
  const accounts = (readAsset: () => Promise<never>) => ({
    isReady: () => true,
    nameOf: (id: string) => id,
    serviceOf: () => 'https://api',
    readAsset: vi.fn(readAsset),
  });

  it('requests no asset of another service', async () => {
    const deps = accounts(async () => Promise.reject(new Error('asked')));
    expect(await seeAsset({ ...named, service: 'https://other' }, rule, deps)).toBeNull();
    expect(deps.readAsset).not.toHaveBeenCalled();
  });

  it('returns null for a missing asset and rejects if the service is unreachable', async () => {
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
