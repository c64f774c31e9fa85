/** Generates small documents: tilesets, features, KML, building models and splats. */
import { gzipSync } from 'node:zlib';
import { archiveOf } from './archive-files.ts';

const degree = Math.PI / 180;
export const region = (west: number, south: number, east: number, north: number) => ({
  region: [...[west, south, east, north].map((angle) => angle * degree), 0, 100],
});

/** @param root members in addition to its volume */
export const tileset = (root: object = {}, boundingVolume: object = { sphere: [0, 0, 0, 10] }): string =>
  JSON.stringify({
    asset: { version: '1.1' },
    geometricError: 10,
    root: { boundingVolume, geometricError: 0, ...root },
  });

/**
 * Transformation from local east, north and up to a position on the equator at 0°, which is x = 6,378,137 m.
 */
export const onEquator: readonly number[] = [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 6_378_137, 0, 0, 1];

export const kmlOf = (...features: readonly string[]): string =>
  `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${features.join('')}</Document></kml>`;
export const kmlModel =
  '<Placemark><Model><Location><longitude>13.4</longitude><latitude>52.5</latitude></Location><Link><href>a.dae</href></Link></Model></Placemark>';
export const kmlLine =
  '<Placemark><LineString><coordinates>9,51,0 10,52,0</coordinates></LineString></Placemark>';
export const kmlLink = '<NetworkLink><Link><href>http://example.invalid/x.kml</href></Link></NetworkLink>';
export const kmlOverlay =
  '<GroundOverlay><LatLonBox><north>52</north><south>51</south><east>10</east><west>9</west></LatLonBox></GroundOverlay>';

/** A building model in millimetres. */
export const ifc = (...entities: readonly string[]): string =>
  [
    'ISO-10303-21;',
    'HEADER;',
    "FILE_SCHEMA(('IFC4'));",
    'ENDSEC;',
    'DATA;',
    '#1=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);',
    ...entities,
    'ENDSEC;',
    'END-ISO-10303-21;',
    '',
  ].join('\n');
export const projectedIfc = (east: string, north: string) =>
  ifc(
    "#2=IFCPROJECTEDCRS('EPSG:25832',$,'ETRS89','DHHN2016','UTM','32',$);",
    `#3=IFCMAPCONVERSION(#9,#2,${east},${north},50.,1.,0.,1.);`,
  );
export const ifcSite = (latitude: string, longitude: string) =>
  `#4=IFCSITE('a',$,'Site, north',$,$,$,$,$,.ELEMENT.,${latitude},${longitude},50.,$,$);`;

const splatProperties = [
  ...['x', 'y', 'z', 'f_dc_0', 'f_dc_1', 'f_dc_2', 'opacity', 'scale_0', 'scale_1', 'scale_2'],
  ...['rot_0', 'rot_1', 'rot_2', 'rot_3'],
];

export const splatPly = (count = 3): Buffer =>
  Buffer.concat([
    Buffer.from(
      `ply\nformat binary_little_endian 1.0\nelement vertex ${count}\n${splatProperties.map((name) => `property float ${name}\n`).join('')}end_header\n`,
    ),
    Buffer.alloc(count * splatProperties.length * 4, 1),
  ]);

const spzHeader = Buffer.from('NGSP\x02\0\0\0\x0a\0\0\0\x01\x0c\0\0', 'latin1');
export const spz = (): Buffer => gzipSync(Buffer.concat([spzHeader, Buffer.alloc(90, 7)]));

/** A zip of one file. */
export const zipOf = (name: string, content: Buffer | string): Buffer => archiveOf({ [name]: content });
