import { afterAll, describe, expect, it } from 'vitest';
import { createInspector } from '../../../../main/inspect/session/inspector.ts';
import { decideKind, fittingOptions, ruleFor } from '../../../../main/watch/settle/kind.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

/** No file exists, so that only names count. */
const unreadable = { inspector: createInspector() };
afterAll(() => unreadable.inspector.close());
const source = (...keys: readonly string[]) => ({
  paths: ['/in'],
  files: keys.map((key) => ({ key, path: `/in/${key}`, size: 5_000, mtimeMs: 0 })),
});
const kindOf = async (...keys: readonly string[]) =>
  (await decideKind({ folder: '/in' }, source(...keys), unreadable))?.sourceType;

describe('decideKind()', () => {
  it('decides the kind by unambiguous names', async () => {
    expect(await kindOf('a.laz')).toBe('POINT_CLOUD');
    expect(await kindOf('m/a.obj', 'm/a.jpg')).toBe('3D_MODEL');
  });

  it('leaves the kind undecided for ambiguous extensions', async () => {
    for (const name of ['a.tif', 'a.gml', 'a.xml', 'a.txt']) expect(await kindOf(name), name).toBeUndefined();
  });

  it('fittingOptions() keeps options of the source type and those of every type', () => {
    const options = '{"inputCrs":"EPSG:25832","textureFormat":"WEBP","quality":7}';
    expect(fittingOptions(options, 'KML')).toBe('{"textureFormat":"WEBP","quality":7}');
    expect(fittingOptions(options, 'RASTER_TERRAIN')).toBe('{"quality":7}');
    expect(fittingOptions('{}', 'KML')).toBe('{}');
  });
});

describe('ruleFor() with a tileset', () => {
  const optionsFor = async (kindFrom: 'content' | 'rule', options: string, ...keys: readonly string[]) => {
    const rule = aWatchRule({ folder: '/in', kindFrom, sourceType: '3DTILES', options });
    return JSON.parse((await ruleFor(rule, source(...keys) as never, unreadable)).options);
  };

  it('adds the tileset root to the options unless it is tileset.json', async () => {
    for (const kindFrom of ['content', 'rule'] as const) {
      expect(await optionsFor(kindFrom, '{}', 'scene.json', 'a.b3dm')).toEqual({ tilesetJson: 'scene.json' });
      expect(await optionsFor(kindFrom, '{}', 'tileset.json', 'a.b3dm')).toEqual({});
    }
  });

  it('keeps the tileset root that the rule names', async () => {
    const options = '{"tilesetJson":"other.json"}';
    expect(await optionsFor('rule', options, 'scene.json', 'a.b3dm')).toEqual(JSON.parse(options));
  });
});
