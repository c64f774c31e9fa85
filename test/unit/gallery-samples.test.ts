import { describe, expect, it } from 'vitest';
import * as sources from '../../gallery/samples/sample-sources.ts';
import * as others from '../../gallery/samples/sources/sample-findings.ts';
import { Scattered } from '../../main/inspect/findings/scattered.ts';
import type { FindingGroup, SourceView } from '../../preload/contract.ts';

/** Gallery samples with a map. */
const placed = Object.entries({ ...sources, ...others }).filter(
  (item): item is [string, SourceView] =>
    typeof item[1] === 'object' && 'footprints' in item[1] && item[1].footprints.length > 0,
);
const ofId = ({ findings }: SourceView, id: FindingGroup['id']) =>
  findings.find((finding) => finding.id === id);
const placeOf = ([west, south]: readonly number[] = []) => `${west?.toFixed(4)} ${south?.toFixed(4)}`;
/** Adjacent tiles, identified by their first corner. */
const tilesOf = ({ footprints }: SourceView) => Map.groupBy(footprints, ({ ring }) => placeOf(ring[0]));

describe.each(placed)('the gallery sample %s', (_name, source) => {
  const { fileCount, footprints, density, seen, findings } = source;

  it('has as many files and places as it counts', () => {
    expect(seen).toMatchObject({ looked: seen?.total, state: 'done' });
    expect(seen?.looked ?? 0).toBeLessThanOrEqual(fileCount);
    expect(source.extensions.reduce((sum, { count }) => sum + count, 0)).toBe(fileCount);
    const drawn = density ? density.cells.reduce((sum, [, , count]) => sum + count, 0) : footprints.length;
    expect(seen?.placed).toBe(drawn);
    expect(new Set(footprints.map(({ key }) => key)).size).toBe(footprints.length);
  });

  it('has its extent around its drawing', () => {
    const size = density?.size ?? 0;
    const points = density
      ? density.cells.flatMap(([west, south]) => [
          [west, south],
          [west + size, south + size],
        ])
      : footprints.flatMap(({ ring }) => ring);
    const [longitudes, latitudes] = [points.map(([at = 0]) => at), points.map(([, at = 0]) => at)];
    expect(seen?.extent?.west).toBeCloseTo(Math.min(...longitudes), 6);
    expect(seen?.extent?.east).toBeCloseTo(Math.max(...longitudes), 6);
    expect(seen?.extent?.south).toBeCloseTo(Math.min(...latitudes), 6);
    expect(seen?.extent?.north).toBeCloseTo(Math.max(...latitudes), 6);
  });

  it('has findings of existing files at their distances', () => {
    for (const { looked, total, count, keys } of findings) {
      expect([looked, total].every((one) => one === seen?.looked)).toBe(true);
      expect(count).toBeLessThanOrEqual(total);
      expect(keys.length).toBeLessThanOrEqual(count);
    }
    const scattered = new Scattered();
    for (const { key, ring } of footprints) scattered.add(key, ring[0] ?? [0, 0]);
    const far = density ? null : scattered.farAway();
    const told = ofId(source, 'far-away');
    expect(told && { kilometres: told.values?.kilometres, keys: told.keys, count: told.count }).toEqual(
      far ?? undefined,
    );
  });

  it('has only the duplicates and gaps of its findings', () => {
    const twice = [...tilesOf(source).values()].filter((all) => all.length > 1).flat();
    expect(ofId(source, 'overlaps')?.keys ?? []).toEqual(twice.map(({ key }) => key));
    const gaps = ofId(source, 'gaps');
    if (!gaps) return;
    const corners = [...tilesOf(source).keys()].map((place) => place.split(' '));
    const [columns, rows] = [0, 1].map((axis) => new Set(corners.map((corner) => corner[axis])).size);
    expect(gaps.values?.missing).toBe((columns ?? 0) * (rows ?? 0) - corners.length);
  });
});
