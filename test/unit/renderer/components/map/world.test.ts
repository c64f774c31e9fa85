import { describe, expect, it } from 'vitest';
import { countriesAt } from '../../../../../renderer/components/map/world.ts';

const [hannover, munich, groningen, northSea, nicosia] = [
  [9.7, 52.4],
  [11.5, 48.1],
  [6.5, 53.2],
  [4, 56],
  [33.3, 35.25],
] as const;

describe('the countries in which places lie', () => {
  it('are told by their number', () => {
    expect(countriesAt([hannover, munich])).toEqual(['276']);
    expect(countriesAt([[178, -17.8]])).toEqual(['242']);
    expect(countriesAt([[-179.9, 66.5]])).toEqual(['643']);
  });

  it('are told in the order of how much lies there, without the edge of a neighbour', () => {
    expect(countriesAt([groningen, groningen, hannover])).toEqual(['528', '276']);
    expect(countriesAt([...Array.from({ length: 12 }, () => hannover), groningen])).toEqual(['276']);
  });

  it('are none at sea, which counts for none where there is land too', () => {
    expect(countriesAt([northSea])).toEqual([]);
    expect(countriesAt([northSea, northSea, hannover])).toEqual(['276']);
    expect(countriesAt([])).toEqual([]);
  });

  it('are without a number where the atlas has none', () => {
    expect(countriesAt([nicosia])).toEqual([null]);
  });
});
