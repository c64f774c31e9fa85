import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface SampleSource {
  readonly path: string;
  readonly assetType: '3DTILES';
  readonly sourceType: 'CITYGML';
}

/** Real CityGML that may exist outside the project, which doesn't ship it. */
const realSample = join(import.meta.dirname, '..', '..', '..', 'shared', 'samples', 'Reichstag.zip');

/** Returns the real sample if it exists; otherwise writes a small CityGML into `folder`. */
export async function sampleSource(folder: string): Promise<SampleSource> {
  if (existsSync(realSample)) return { path: realSample, assetType: '3DTILES', sourceType: 'CITYGML' };
  const path = join(folder, 'Sample_Town');
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'sample-town.gml'), cityModel(24));
  return { path, assetType: '3DTILES', sourceType: 'CITYGML' };
}

/** Corner of the town, metres in ETRS89 / UTM 32N. */
const origin = { x: 565_000, y: 5_934_000, z: 6 };
const block = { side: 14, gap: 10, perRow: 6 };

type Point = readonly [number, number, number];

/** A CityGML 2.0 file of box-shaped LoD 1 buildings with its coordinate reference system. */
function cityModel(buildings: number): string {
  const members = Array.from({ length: buildings }, (_, index) => building(index)).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gml="http://www.opengis.net/gml">
  <gml:boundedBy>
    <gml:Envelope srsName="urn:ogc:def:crs:EPSG::25832" srsDimension="3">
      <gml:lowerCorner>${origin.x} ${origin.y} ${origin.z}</gml:lowerCorner>
      <gml:upperCorner>${origin.x + 500} ${origin.y + 500} ${origin.z + 60}</gml:upperCorner>
    </gml:Envelope>
  </gml:boundedBy>
${members}
</core:CityModel>
`;
}

function building(index: number): string {
  const step = block.side + block.gap;
  const x = origin.x + (index % block.perRow) * step;
  const y = origin.y + Math.floor(index / block.perRow) * step;
  const height = 9 + ((index * 7) % 5) * 3;
  const surfaces = boxSurfaces(x, y, origin.z, height).map(surface).join('');
  return `  <core:cityObjectMember>
    <bldg:Building gml:id="building-${index + 1}">
      <bldg:measuredHeight uom="m">${height}</bldg:measuredHeight>
      <bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>${surfaces}</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>
    </bldg:Building>
  </core:cityObjectMember>`;
}

function boxSurfaces(x: number, y: number, z: number, height: number): readonly (readonly Point[])[] {
  const [x2, y2, topHeight] = [x + block.side, y + block.side, z + height];
  const groundPoints: readonly Point[] = [
    [x, y, z],
    [x2, y, z],
    [x2, y2, z],
    [x, y2, z],
  ];
  const roofPoints: readonly Point[] = [
    [x, y, topHeight],
    [x2, y, topHeight],
    [x2, y2, topHeight],
    [x, y2, topHeight],
  ];
  const walls = groundPoints.map((corner, index): readonly Point[] => {
    const nextIndex = (index + 1) % 4;
    return [
      corner,
      groundPoints[nextIndex] ?? corner,
      roofPoints[nextIndex] ?? corner,
      roofPoints[index] ?? corner,
    ];
  });
  return [[...groundPoints].reverse(), roofPoints, ...walls];
}

function surface(ring: readonly Point[]): string {
  const closedRing = [...ring, ...ring.slice(0, 1)];
  const positions = closedRing.map((point) => point.join(' ')).join(' ');
  return `<gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList srsDimension="3">${positions}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>`;
}
