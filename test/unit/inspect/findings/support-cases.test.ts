import { expect, it } from 'vitest';
import type { FindingId } from '../../../../shared/findings.ts';
import { kmlLine, kmlLink, kmlOf, kmlOverlay, tileset } from '../formats/document-files.ts';
import { samples } from '../formats/sample-files.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../formats/sample-heads.ts';
import { type Files, findIn } from './find-in.ts';
import { glb, gltfAt } from './model-files.ts';
import { rasterFile, rowsOf } from './raster-files.ts';

/** What users asked for help with, rebuilt as small files (docs/reference/support-cases.md). */

const find = async (files: Files) => (await findIn(files)).map(({ id }) => id);
const shows = async (files: Files, id: FindingId) => expect(await find(files)).toContain(id);

const geographic = [1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326];
const at = (x: number, y: number, geoKeys: readonly number[]) =>
  tiffFile({ geoKeys, size: [10, 10], scale: [1, 1, 0], tie: [0, 0, 0, x, y, 0], bits: 32, sampleFormat: 3 });
const cityAt = (srsName: string, corner: string) =>
  cityModel(srsName).replace(
    '/></gml:boundedBy>',
    `><gml:lowerCorner>${corner} 50</gml:lowerCorner><gml:upperCorner>${corner} 90</gml:upperCorner></gml:Envelope></gml:boundedBy>`,
  );
const features =
  '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"><a/></wfs:FeatureCollection>';
const relief = cityModel().replace(
  '</core:City',
  '<core:cityObjectMember><dem:ReliefFeature><dem:TINRelief><gml:posList>1 2 3</gml:posList></dem:TINRelief></dem:ReliefFeature></core:cityObjectMember></core:City',
);
const shapefile = samples.find(({ ending }) => ending === '.shp')?.bytes ?? '';
const holes = rowsOf(20, 60, (row, column) => (row < 3 ? -9999 : 200 + ((row * 7 + column * 3) % 90) / 10));

it('C1: finds metres in an elevation raster whose system counts in degrees', () =>
  shows({ 'dem.tif': at(550_000, 5_800_000, geographic) }, 'metres-as-degrees'));

it('C2: finds an ASCII grid without a coordinate system', () =>
  shows(
    { 'dem.asc': 'ncols 2\nnrows 1\nxllcorner 550000\nyllcorner 5800000\ncellsize 1\n1 2\n' },
    'no-system-raster',
  ));

it('C3: finds no fault in terrain in EPSG:3946, which the guide does not exclude', async () =>
  expect(await find({ 'dem.tif': at(1_850_000, 5_180_000, projectedKeys(3946)) })).toEqual(
    expect.not.arrayContaining(['no-system-raster', 'outside-area', 'deprecated-system']),
  ));

it('C4: finds a city model whose compound system is written as a list', () =>
  shows({ 'a.gml': cityModel('urn:ogc:def:crs,crs:EPSG::25862,crs:EPSG::5783') }, 'city-system-name'));

it('C5: finds a city model whose system has a name of the German states', () =>
  shows({ 'a.gml': cityModel('urn:adv:crs:ETRS89_UTM32*DE_DHHN92_NH') }, 'city-system-name'));

it('C6: finds a city model whose system has a typing error', () =>
  shows({ 'a.gml': cityModel('urn:ogc:drf:crs:EPSG::3879') }, 'city-system-name'));

it('C7: finds metres in a city model whose system counts in degrees', () =>
  shows({ 'a.gml': cityAt('EPSG:4326', '367000 5690000') }, 'metres-as-degrees'));

it('C8: finds a city model without a coordinate system', () =>
  shows({ 'a.gml': cityModel('') }, 'no-system-city'));

it('C10: finds GML that is no city model', () => shows({ 'parcels.gml': features }, 'city-foreign'));

it('C11: finds a city model that holds terrain alone', () =>
  shows({ 'dtm.gml': relief }, 'city-only-terrain'));

it('C12: finds a model whose textures are missing', () =>
  shows({ 'house.mtl': 'map_Kd wall.jpg\n' }, 'missing-files'));

it('C17: explains how to convert meshes in OSGB', () => shows({ 'Data/a.osgb': 'x' }, 'unlisted-format'));

it('C18: explains how to convert a shapefile', () => shows({ 'a.shp': shapefile }, 'unlisted-format'));

it('C19: finds KML with lines alone', () => shows({ 'a.kml': kmlOf(kmlLine) }, 'kml-no-models'));

it('C20: finds KML with pictures on the ground alone', () =>
  shows({ 'a.kml': kmlOf(kmlOverlay) }, 'kml-no-models'));

it('C21: finds KML with links alone', () => shows({ 'a.kml': kmlOf(kmlLink) }, 'kml-no-models'));

it('C22: explains that only newer guides list GeoJSON', () =>
  shows({ 'a.geojson': '{}' }, 'newly-listed-format'));

it('C23: explains that only newer guides list CZML', () => shows({ 'a.czml': '[]' }, 'newly-listed-format'));

it('C24: finds holes in elevation that no value marks', () =>
  shows({ 'dem.tif': rasterFile({ rows: holes }) }, 'unnamed-fill'));

it('C25: notes elevation that names no vertical datum', () =>
  shows({ 'dem.tif': at(550_000, 5_800_000, projectedKeys(25_832)) }, 'no-vertical'));

it('C26: finds projected coordinates in glTF', () =>
  shows({ 'a.glb': glb([550_000, 5_800_000, 40]) }, 'coarse-coordinates'));

it('C27: finds projected coordinates in glTF with the axes turned', () =>
  shows({ 'a.gltf': gltfAt([550_000, 40, -5_800_000]) }, 'coarse-coordinates'));

it('C29: finds a tileset without its content', () =>
  shows({ 'tileset.json': tileset({ content: { uri: 'gone.b3dm' } }) }, 'missing-files'));

it('C30: finds a point cloud without a coordinate system', () =>
  shows({ 'a.las': lasFile({ box: [550_000, 5_800_000, 551_000, 5_801_000] }) }, 'no-system-points'));

it('C31: explains the limit for an OBJ of 16 GB', () => shows({ 'a.obj': 16e9 }, 'large-models'));
