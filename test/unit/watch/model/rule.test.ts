import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../../main/settings.ts';
import { watchRuleSchema } from '../../../../main/watch/model/rule.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const withoutDefaults = JSON.stringify({
  id: 'b2',
  name: 'Drone landings',
  folder: import.meta.dirname,
  accountId: 'account',
  unit: { kind: 'files', patterns: ['*.tif'] },
  assetType: 'IMAGERY',
  sourceType: 'RASTER_IMAGERY',
  clampToTerrain: false,
  baseTerrainId: null,
  namePattern: '{name} {date}',
  description: '',
  ignore: ['previews/'],
  settleSeconds: 300,
  whenChanged: 'leave',
  afterSuccess: { kind: 'move', folder: 'done' },
  afterFailure: { kind: 'leave' },
  whenTooLong: 'hold',
  whenExpired: 'start-again',
  shared: true,
  on: true,
});

const rule = aWatchRule({ folder: import.meta.dirname });

describe('settingsSchema', () => {
  it('fills missing fields of a rule with defaults', () => {
    const { watchRules } = settingsSchema.parse({ watchRules: [JSON.parse(withoutDefaults)] });
    expect(watchRules).toMatchObject([{ ...JSON.parse(withoutDefaults), options: '{}' }]);
  });
});

describe('watchRuleSchema', () => {
  it('accepts options that repeat no field of the rule', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
        const options = JSON.stringify(record);
        const isTwice = ['sourceType', 'clampToTerrain', 'baseTerrainId'].some((name) =>
          Object.hasOwn(record, name),
        );
        expect(watchRuleSchema.safeParse({ ...rule, options }).success).toBe(!isTwice);
      }),
    );
  });

  it.each([
    ['invalid JSON', '{'],
    ['an array', '[1]'],
    ['the source type', '{"sourceType":"KML"}'],
    ['the base terrain', '{"baseTerrainId":7}'],
  ])('rejects options: %s', (_what, options) => {
    expect(watchRuleSchema.safeParse({ ...rule, options }).success).toBe(false);
  });
});
