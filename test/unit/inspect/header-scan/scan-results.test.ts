import { describe, expect, it } from 'vitest';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import { ScanResults } from '../../../../main/inspect/header-scan/scan-results.ts';
import { planInspection } from '../../../../main/inspect/headers/choose.ts';
import type { Look } from '../../../../main/inspect/headers/look-inside.ts';
import { type LonLat, maxFootprints, packFootprints, unpackFootprints } from '../../../../shared/source.ts';

const ringAt = (lon: number, lat: number): readonly LonLat[] => [
  [lon, lat],
  [lon, lat + 0.01],
  [lon + 0.01, lat + 0.01],
  [lon, lat],
];
const las = (key: string, system: string | null, vertical: string | null = null): Look => ({
  ...{ key, sidecarSystemName: null, verdict: null },
  head: { kind: 'las', version: '1.4', compressed: false, system, vertical, corners: null },
});

const withSizes = (keys: readonly string[]) => keys.map((key) => ({ key, size: 1 }));
const seenOf = (keys: readonly string[], outline: (look: Look) => readonly LonLat[] | null) =>
  new ScanResults(planInspection(withSizes(keys)), createFindings(withSizes(keys), null), outline);

it('ScanResults reports pictures of city models as too large for textures, and nothing else', () => {
  const results = seenOf(['town.gml', 'a.png', 'b.png'], () => null);
  const png = (key: string, side: number): Look => ({
    ...{ key, sidecarSystemName: null, verdict: null },
    head: { kind: 'png', size: [side, 16] },
  });
  results.addLook(png('a.png', 16_385));
  results.addLook(png('b.png', 16_384));
  const findings = results.results('looking').findings.map(({ id, keys }) => [id, keys]);
  expect(findings).toEqual([['large-textures', ['a.png']]]);
});

it('ScanResults counts systems with heights, places and files located elsewhere', () => {
  const keys = ['a.las', 'b.las', 'c.las', 'd.las', 'e.las', 'notes.txt'];
  const results = seenOf(keys, ({ key }) => (key === 'a.las' ? ringAt(9, 50) : null));
  results.addLook(las('a.las', 'EPSG:25832', 'EPSG:7837'));
  results.addLook(las('b.las', 'EPSG:25833'));
  results.addLook(las('c.las', 'EPSG:25833'));
  results.addLook({ ...las('d.las', null), head: null, onlyInCloud: true });
  results.addLook(las('e.las', 'unnamed'));
  expect(results.results('looking')).toMatchObject({
    ...{ state: 'looking', looked: 5, total: 5, placed: 1 },
    degrees: [{ degree: 'only-in-cloud', count: 1, examples: ['d.las'] }],
    systems: [
      { system: 'EPSG:25833', count: 2 },
      { system: 'EPSG:25832 + EPSG:7837', count: 1 },
    ],
    extent: { west: 9, south: 50, east: 9.01, north: 50.01 },
  });
});

it('ScanResults counts a compound system named by a sidecar', () => {
  const results = seenOf(['a.asc', 'b.asc', 'c.las'], () => null);
  const grid = (key: string, vertical: string | null): Look => ({
    ...{
      key,
      verdict: null,
      sidecarSystemName: 'EPSG:25832',
      sidecarSystem: { system: 'EPSG:25832', vertical },
    },
    head: { kind: 'grid', corners: null },
  });
  results.addLook(grid('a.asc', 'EPSG:5783'));
  results.addLook(grid('b.asc', null));
  // The file’s own system takes precedence over the sidecar’s.
  results.addLook({
    ...las('c.las', 'EPSG:25833'),
    sidecarSystem: { system: 'EPSG:25832', vertical: 'EPSG:5783' },
  });
  expect(
    results
      .results('looking')
      .systems.map(({ system }) => system)
      .sort(),
  ).toEqual(['EPSG:25832', 'EPSG:25832 + EPSG:5783', 'EPSG:25833']);
});

it('ScanResults requires only completeness of textures', () => {
  const results = seenOf(['a.las', '1.jpg', '2.jpg'], () => null);
  const photo: Look = { ...las('1.jpg', null), head: { kind: 'jpeg', hasPosition: false } };
  results.addLook(photo);
  results.addLook({ ...photo, key: '2.jpg', verdict: 'noEnd' });
  expect(results.results('looking').findings.map(({ id, keys }) => [id, keys])).toEqual([
    ['cut-off', ['2.jpg']],
  ]);
});

it('ScanResults places photos, but not textures with positions', () => {
  const photo: Look = {
    ...{ key: '1.jpg', sidecarSystemName: null, verdict: null },
    head: { kind: 'jpeg', hasPosition: true, position: [9, 50] },
  };
  const placedOf = (keys: readonly string[]) => {
    const results = seenOf(keys, () => ringAt(9, 50));
    results.addLook(photo);
    const { placed: placedCount, extent } = results.results('done');
    return [placedCount, extent?.west];
  };
  expect(placedOf(['1.jpg'])).toEqual([1, 9]);
  expect(placedOf(['town.gml', '1.jpg'])).toEqual([0, undefined]);
});

it('ScanResults returns each footprint once, and none beyond the limit', () => {
  const count = maxFootprints + 1;
  const keys = Array.from({ length: count }, (_, at) => `${at}.las`);
  const results = seenOf(keys, ({ key }) => ringAt(Number.parseInt(key, 10) / 1000, 50));
  for (const key of keys.slice(0, 10)) results.addLook(las(key, null));
  expect(results.takeFootprints()).toHaveLength(10);
  expect(results.takeFootprints()).toEqual([]);
  expect(results.density).toBeNull();
  for (const key of keys.slice(10)) results.addLook(las(key, null));
  expect(results.takeFootprints()).toEqual([]);
  const cells = results.density?.cells ?? [];
  expect(cells.reduce((sum, [, , files]) => sum + files, 0)).toBe(count);
  expect(cells.length).toBeLessThanOrEqual(2_000);
});

it('ScanResults survives the transfer to the page', () => {
  const footprints = [
    { key: 'a', ring: ringAt(9, 50) },
    { key: 'b', ring: [] },
    { key: 'c', ring: ringAt(-179, 10) },
  ];
  expect(unpackFootprints(structuredClone(packFootprints(footprints)))).toEqual(footprints);
});

describe('ScanResults for several assets', () => {
  const tif = (key: string, system: string | null): Look => ({
    ...{ key, sidecarSystemName: null, verdict: null, degree: 'read' },
    head: {
      ...{ kind: 'tiff', bands: 3, bits: 8, sample: 'unsigned', palette: false },
      ...{ system, vertical: null, corners: null, unplaced: true },
    } as unknown as Look['head'],
  });
  const photo = (key: string): Look => ({
    ...{ key, sidecarSystemName: null, verdict: null, degree: 'read' },
    head: { kind: 'jpeg', hasPosition: false },
  });
  const keys = ['ortho/1.tif', 'ortho/2.tif', 'flight/1.jpg', 'flight/2.jpg', 'house.obj', 'roof.tif'];
  const lengths = [2, 2, 2];

  function assetsSeen() {
    const sliceOf = (start: number, end: number) => keys.slice(start, end).map((key) => ({ key, size: 1 }));
    const findings = [sliceOf(0, 2), sliceOf(2, 4), sliceOf(4, 6)].map((files) =>
      createFindings(files, null),
    );
    const plan = planInspection(sliceOf(0, 6), lengths);
    return new ScanResults(plan, createFindings(sliceOf(0, 6), null), () => null, { lengths, findings });
  }

  it('ScanResults for several assets reports a file in its own asset only', () => {
    const results = assetsSeen();
    results.addLook(tif('ortho/1.tif', 'EPSG:25832'), 0);
    results.addLook(tif('ortho/2.tif', null), 1);
    results.addLook(photo('flight/1.jpg'), 2);
    const [ortho, flight, ...otherAssets] = results.takeAssets();
    expect(ortho).toMatchObject({
      ...{ group: 0, locatable: 2, systems: [{ system: 'EPSG:25832', count: 1 }] },
      degrees: [{ degree: 'read', count: 2, examples: [] }],
    });
    expect(ortho?.findings.find(({ id }) => id === 'no-system-raster')?.keys).toEqual(['ortho/2.tif']);
    expect(flight).toMatchObject({ group: 1, systems: [] });
    expect(flight?.findings.map(({ id }) => id)).toContain('photos-without-position');
    expect(ortho?.findings.map(({ id }) => id)).not.toContain('photos-without-position');
    expect(otherAssets).toEqual([]);
  });

  it('ScanResults for several assets repeats only assets with news', () => {
    const results = assetsSeen();
    results.addLook(tif('ortho/1.tif', 'EPSG:25832'), 0);
    results.takeAssets();
    results.addLook(photo('flight/1.jpg'), 2);
    expect(results.takeAssets().map(({ group }) => group)).toEqual([1]);
    expect(results.takeAssets()).toEqual([]);
  });

  it('ScanResults for several assets counts no coordinate system of a texture', () => {
    const results = assetsSeen();
    results.addLook(tif('roof.tif', 'EPSG:25832'), 5);
    expect(results.takeAssets()).toMatchObject([{ group: 2, systems: [], locatable: 0 }]);
  });

  it('ScanResults for several assets reports a raster without position, with or without a system', () => {
    const results = assetsSeen();
    results.addLook(tif('ortho/1.tif', 'EPSG:25832'), 0);
    results.addLook(tif('ortho/2.tif', null), 1);
    const [ortho] = results.takeAssets();
    expect(ortho?.findings.find(({ id }) => id === 'no-place')?.keys).toEqual(['ortho/1.tif', 'ortho/2.tif']);
  });
});

it('the plan of an inspection starts with files spread over the source, each once', () => {
  const keys = Array.from({ length: 1000 }, (_, at) => `${at}.tif`);
  const { order } = planInspection(withSizes(keys));
  expect([...order].sort((a, b) => a - b)).toEqual([...keys.keys()]);
  const earlyPlaces = [...order.subarray(0, 64)];
  expect(Math.max(...earlyPlaces)).toBeGreaterThan(950);
  expect([...order.subarray(64, 67)]).toEqual([1, 2, 3]);
});

it('the plan of an inspection skips files without data, and descriptions of data', () => {
  const keys = ['a.tif', 'a.tif.aux.xml', 'a.PRJ', 'notes.txt', 'b.zip', 'readme', 'c.jpg'];
  const { order, isMain, sidecars } = planInspection(withSizes(keys));
  expect([...order].map((index) => keys[index])).toEqual(['a.tif', 'b.zip', 'c.jpg']);
  expect(['a.tif.aux.xml', 'a.prj', 'a.tif', 'c.jpg'].map((key) => sidecars.get(key))).toEqual([
    ...[1, 2, undefined, undefined],
  ]);
  expect(['tif', 'zip', 'jpg'].map(isMain)).toEqual([true, true, false]);
  expect([...planInspection(withSizes(['doc.xml', 'x.jpg'])).order]).toEqual([0, 1]);
  expect(planInspection(withSizes(['x.jpg'])).isMain('jpg')).toBe(true);
});

it('the plan of an inspection treats photos as data in their own asset, and descriptions when alone', () => {
  const { isMain, isMainOf, order } = planInspection(withSizes(['a.las', 'b.jpg', 'c.xml']), [1, 1, 1]);
  expect([isMain('jpg'), isMainOf.map((isOf) => isOf('jpg'))]).toEqual([false, [false, true, true]]);
  expect(order).toHaveLength(3);
});
