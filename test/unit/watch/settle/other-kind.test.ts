import { afterAll, describe, expect, it } from 'vitest';
import { createInspector } from '../../../../main/inspect/session/inspector.ts';
import { otherKind } from '../../../../main/watch/settle/kind.ts';
import { inEnglish } from '../../../../strings/sayer.ts';

/** Nothing is there, so that names alone speak. */
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

describe('data of another kind than the rule creates', () => {
  it('is told with what it is, what the rule expects, and its files', async () => {
    const told = await found('CITYGML', 'm/town.obj', 'm/town.mtl', 'm/wall.jpg');
    expect(told).toMatchObject({ id: 'rule-kind', count: 2, files: ['m/town.obj', 'm/wall.jpg'] });
    expect(inEnglish.sayPhrase({ key: 'findings.rule-kind.title', values: told?.values ?? {} })).toBe(
      'The kind of data is 3D model, but the rule expects CityGML',
    );
  });

  it('is not told where one file may be of the rule’s kind', async () => {
    for (const other of ['town.gml', 'data.zip', 'town.city.json'])
      expect(await found('CITYGML', 'm/town.obj', other), other).toBeNull();
    expect(await found('3D_CAPTURE', 'm/town.obj', 'm/town.mtl')).toBeNull();
  });

  it('is told although something else describes itself in XML', async () => {
    expect(await found('CITYGML', 'm/town.obj', 'm/metadata.xml')).toMatchObject({ id: 'rule-kind' });
  });

  it('is not told where names say nothing, of kinds that nobody knows, or where the content decides', async () => {
    expect(await found('CITYGML', 'a.bin', 'b')).toBeNull();
    expect(await found('GAUSSIAN_SPLATS', 'a.obj')).toBeNull();
    const rule = { kindFrom: 'content', folder: '/in', sourceType: 'CITYGML' } as const;
    expect(await otherKind(rule, source('a.obj'), unreadable)).toBeNull();
  });
});
