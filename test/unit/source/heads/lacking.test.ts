import { describe, expect, it } from 'vitest';
import type { Head } from '../../../../main/source/heads/head.ts';
import { findLacking } from '../../../../main/source/heads/lacking.ts';
import type { Look } from '../../../../main/source/heads/look-inside.ts';

const look = (key: string, head: Head | null, systemBeside = false): Look => ({ key, head, systemBeside });
const keysOf = (looks: readonly Look[]) => looks.map(({ key }) => key);
const city = (system: string | null): Head => ({ kind: 'gml', isCityGml: true, version: '2.0', system });

describe('what files lack', () => {
  it('is a coordinate system that stands neither inside nor beside', () => {
    const looks = [
      look('dgm_03.asc', { kind: 'grid' }, true),
      look('dgm_05.asc', { kind: 'grid' }),
      look('dgm_04.asc', { kind: 'grid' }),
    ];
    expect(findLacking([...keysOf(looks), 'dgm_06.asc', 'notes.txt'], looks)).toEqual([
      {
        what: 'coordinate-system',
        sourceTypes: ['RASTER_IMAGERY', 'RASTER_TERRAIN'],
        lacking: 2,
        looked: 3,
        total: 4,
        examples: ['dgm_04.asc', 'dgm_05.asc'],
      },
    ]);
  });

  it('is nothing where all have one, or none could be read', () => {
    expect(findLacking(['a.gml', 'b.gml'], [look('a.gml', city('EPSG:25832')), look('b.gml', null)])).toEqual(
      [],
    );
    expect(findLacking([], [])).toEqual([]);
  });

  it('is a position for photos of a capture, a coordinate system for photos as imagery', () => {
    const looks = [look('1.jpg', { kind: 'jpeg', hasPosition: false })];
    expect(findLacking(['1.jpg'], looks).map(({ what }) => what)).toEqual([
      'coordinate-system',
      'photo-position',
    ]);
  });
});
