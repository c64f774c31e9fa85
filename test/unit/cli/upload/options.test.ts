import { describe, expect, it } from 'vitest';
import { creationBody, type UploadOptions } from '../../../../main/cli/upload/options.ts';
import { UsageError } from '../../../../main/cli/usage-error.ts';
import { kindOf } from '../../../../shared/kinds.ts';
import { inEnglish } from '../../../../strings/sayer.ts';

const noOptions: UploadOptions = {
  ...{ clampToTerrain: false, oneEach: false, wait: true, check: false, acceptForecast: false },
  ...{ again: false, giveUpAfter: 60, exclude: [], dryRun: false },
};
const cityModel = {
  ...{ paths: ['/data/town.gml'], primary: '/data/town.gml', inDoubt: null },
  ...{ suggestion: { ...kindOf('CITYGML'), kind: 'CityGML', reason: 'a.gml' } },
};
const unknownData = { ...cityModel, paths: ['/data/a.bin'], primary: '/data/a.bin', suggestion: null };

function refusal(source: Parameters<typeof creationBody>[0], options: Partial<UploadOptions>): string {
  try {
    creationBody(source, { ...noOptions, ...options }, null);
  } catch (error) {
    if (error instanceof UsageError) return inEnglish.sayPhrase(error.phrase);
    throw error;
  }
  return '';
}

describe('creationBody()', () => {
  it('refuses an asset type that the detected kind can’t become, and names both', () => {
    const text = refusal(cityModel, { type: 'TERRAIN' });
    expect(text).toContain('The files look like CITYGML, which becomes 3DTILES, not TERRAIN.');
    expect(text).toContain('RASTER_TERRAIN, TERRAIN_DATABASE');
    expect(text).not.toContain('POINT_CLOUD');
  });

  it('refuses CITYGML with another asset type', () => {
    expect(refusal(cityModel, { sourceType: 'citygml', type: 'IMAGERY' })).toContain(
      'CITYGML can’t become IMAGERY',
    );
  });

  it('refuses an unknown kind without an asset type, and lists the known ones', () => {
    const text = refusal(unknownData, { sourceType: 'CITYGLM' });
    expect(text).toContain('“CITYGLM” isn’t a kind of data that Tilelift knows: CITYGML, ');
    expect(text).toContain('--type');
  });

  it('refuses files that don’t show their kind', () => {
    expect(refusal(unknownData, { type: 'TERRAIN' })).toContain('The files in /data/a.bin don’t show');
  });

  it('accepts options if kind and type fit', () => {
    expect(refusal(cityModel, { type: '3dtiles' })).toBe('');
    expect(refusal(unknownData, { sourceType: 'CITYGLM', type: '3DTILES' })).toBe('');
  });
});
