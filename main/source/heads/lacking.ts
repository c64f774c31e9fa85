import { extensionOf, type Head } from './head.ts';
import type { Look } from './look-inside.ts';

/** Files in which nothing was found of what the service needs to put them on earth. */
export interface Lacking {
  readonly what: 'coordinate-system' | 'photo-position';
  /** It matters to data of these kinds. */
  readonly sourceTypes: readonly string[];
  readonly lacking: number;
  readonly looked: number;
  /** Files of these endings in the whole source. */
  readonly total: number;
  /** Keys of a few of them. */
  readonly examples: readonly string[];
}

interface Need {
  readonly what: Lacking['what'];
  readonly sourceTypes: readonly string[];
  readonly heads: readonly Head['kind'][];
}

/** service-facts.md: CityGML, imagery and elevation must carry a coordinate system; its lack is the commonest reason for DATA_ERROR. */
const needs: readonly Need[] = [
  { what: 'coordinate-system', sourceTypes: ['CITYGML'], heads: ['gml'] },
  { what: 'coordinate-system', sourceTypes: ['POINT_CLOUD'], heads: ['las'] },
  {
    what: 'coordinate-system',
    sourceTypes: ['RASTER_IMAGERY', 'RASTER_TERRAIN'],
    heads: ['tiff', 'grid', 'jpeg', 'png'],
  },
  { what: 'photo-position', sourceTypes: ['3D_CAPTURE'], heads: ['jpeg'] },
];
const namedExamples = 3;

/** What the looked-at files of a source lack, by kind of data. Files that could not be read say nothing. */
export function findLacking(keys: readonly string[], looks: readonly Look[]): readonly Lacking[] {
  return needs.flatMap(({ what, sourceTypes, heads }) => {
    const looked = looks.filter(({ head }) => head !== null && heads.includes(head.kind));
    const without = looked
      .filter((look) => !has(what, look))
      .map(({ key }) => key)
      .sort();
    if (without.length === 0) return [];
    const endings = new Set(looked.map(({ key }) => extensionOf(key)));
    const total = keys.filter((key) => endings.has(extensionOf(key))).length;
    const examples = without.slice(0, namedExamples);
    return [{ what, sourceTypes, lacking: without.length, looked: looked.length, total, examples }];
  });
}

function has(what: Lacking['what'], { head, systemBeside }: Look): boolean {
  if (what === 'photo-position') return head?.kind === 'jpeg' && head.hasPosition;
  return systemBeside || (head !== null && 'system' in head && head.system !== null);
}
