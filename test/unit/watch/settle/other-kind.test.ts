import { afterAll, describe, expect, it } from 'vitest';
import { createInspector } from '../../../../main/inspect/session/inspector.ts';
import { otherKind } from '../../../../main/watch/settle/kind.ts';
import { inEnglish } from '../../../../strings/sayer.ts';

/** No file exists, so that only names count. */
const unreadable = { inspector: createInspector() };
afterAll(() => unreadable.inspector.close());
const source = (...keys: readonly string[]) => ({
  paths: ['/in'],
  files: keys.map((key) => ({ key, path: `/in/${key}`, size: 5_000, mtimeMs: 0 })),
});
const found = async (sourceType: string, ...keys: readonly string[]) => {
  const other = await otherKind({ kindFrom: 'rule', folder: '/in', sourceType }, source(...keys), unreadable);
  return other?.finding ?? null;
};

describe('otherKind()', () => {
  it('reports the detected kind, the expected kind and the files', async () => {
    const reported = await found('CITYGML', 'm/town.obj', 'm/town.mtl', 'm/wall.jpg');
    expect(reported).toMatchObject({ id: 'rule-kind', count: 2, files: ['m/town.obj', 'm/wall.jpg'] });
    expect(inEnglish.sayPhrase({ key: 'findings.rule-kind.title', values: reported?.values ?? {} })).toBe(
      'The kind of data is 3D model, but the rule expects CityGML',
    );
  });

  it('reports nothing if one file may be of the rule’s kind', async () => {
    for (const other of ['town.gml', 'data.zip', 'town.city.json'])
      expect(await found('CITYGML', 'm/town.obj', other), other).toBeNull();
    expect(await found('3D_CAPTURE', 'm/town.obj', 'm/town.mtl')).toBeNull();
  });

  it('reports another kind despite an XML metadata file', async () => {
    expect(await found('CITYGML', 'm/town.obj', 'm/metadata.xml')).toMatchObject({ id: 'rule-kind' });
  });

  it('reports nothing for unknown names or kinds, or if the content decides', async () => {
    expect(await found('CITYGML', 'a.bin', 'b')).toBeNull();
    expect(await found('GAUSSIAN_SPLATS', 'a.obj')).toBeNull();
    const rule = { kindFrom: 'content', folder: '/in', sourceType: 'CITYGML' } as const;
    expect(await otherKind(rule, source('a.obj'), unreadable)).toBeNull();
  });
});
