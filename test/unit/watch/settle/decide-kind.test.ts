import { afterAll, describe, expect, it } from 'vitest';
import { createInspector } from '../../../../main/inspect/session/inspector.ts';
import { decideKind, fittingOptions, ruleFor } from '../../../../main/watch/settle/kind.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

/** Nothing is there, so that names alone speak. */
const unreadable = { inspector: createInspector() };
afterAll(() => unreadable.inspector.close());
const source = (...keys: readonly string[]) => ({
  paths: ['/in'],
  files: keys.map((key) => ({ key, path: `/in/${key}`, size: 5_000, mtimeMs: 0 })),
});
const kindOf = async (...keys: readonly string[]) =>
  (await decideKind(source(...keys), unreadable))?.sourceType;

describe('the kind of a source by its content', () => {
  it('is told by names that mean one thing', async () => {
    expect(await kindOf('a.laz')).toBe('POINT_CLOUD');
    expect(await kindOf('m/a.obj', 'm/a.jpg')).toBe('3D_MODEL');
  });

  it('is not told by an extension alone that could mean two', async () => {
    for (const name of ['a.tif', 'a.gml', 'a.xml', 'a.txt']) expect(await kindOf(name), name).toBeUndefined();
  });

  it('takes the options that mean something for it, and all that are for every kind', () => {
    const options = '{"inputCrs":"EPSG:25832","textureFormat":"WEBP","quality":7}';
    expect(fittingOptions(options, 'KML')).toBe('{"textureFormat":"WEBP","quality":7}');
    expect(fittingOptions(options, 'RASTER_TERRAIN')).toBe('{"quality":7}');
    expect(fittingOptions('{}', 'KML')).toBe('{}');
  });
});

describe('the root of a tileset', () => {
  const optionsFor = async (kindFrom: 'content' | 'rule', options: string, ...keys: readonly string[]) => {
    const rule = aWatchRule({ folder: '/in', kindFrom, sourceType: '3DTILES', options });
    return JSON.parse((await ruleFor(rule, source(...keys) as never, unreadable)).options);
  };

  it('is added to the options if its name is another than the service expects', async () => {
    for (const kindFrom of ['content', 'rule'] as const) {
      expect(await optionsFor(kindFrom, '{}', 'scene.json', 'a.b3dm')).toEqual({ tilesetJson: 'scene.json' });
      expect(await optionsFor(kindFrom, '{}', 'tileset.json', 'a.b3dm')).toEqual({});
    }
  });

  it('is the one that the rule names', async () => {
    const options = '{"tilesetJson":"other.json"}';
    expect(await optionsFor('rule', options, 'scene.json', 'a.b3dm')).toEqual(JSON.parse(options));
  });
});
