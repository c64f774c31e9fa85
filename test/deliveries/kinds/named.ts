import { sevenZip } from '../../unit/inspect/formats/volume-files.ts';
import { jpeg, tiff } from '../data.ts';
import type { Delivery, Group } from '../delivery.ts';

interface Named {
  readonly what: string;
  readonly pattern: string;
  readonly asset: string;
  readonly path: string;
  readonly first: Readonly<Record<string, string | Uint8Array>>;
  readonly later: Readonly<Record<string, string | Uint8Array>>;
}

const kinds: readonly Named[] = [
  {
    what: 'a glTF model before its buffer',
    pattern: '*.gltf',
    ...{ asset: 'tower', path: 'tower.gltf' },
    first: {
      'tower.gltf': JSON.stringify({
        asset: { version: '2.0' },
        buffers: [{ uri: 'tower.bin', byteLength: 4 }],
      }),
    },
    later: { 'tower.bin': Buffer.alloc(4) },
  },
  {
    what: 'a KML file before the image of its ground overlay',
    pattern: '*.kml',
    ...{ asset: 'plan', path: 'plan.kml' },
    first: {
      'plan.kml':
        '<kml xmlns="http://www.opengis.net/kml/2.2"><GroundOverlay><Icon><href>files/plan.jpg</href></Icon></GroundOverlay></kml>',
    },
    later: { 'files/plan.jpg': jpeg() },
  },
  {
    what: 'a CityGML model before its textures',
    pattern: '*.gml',
    ...{ asset: 'town', path: 'town.gml' },
    first: {
      'town.gml':
        '<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0"><app:ParameterizedTexture><app:imageURI>appearance/wall.jpg</app:imageURI></app:ParameterizedTexture></core:CityModel>',
    },
    later: { 'appearance/wall.jpg': jpeg() },
  },
  {
    what: 'a virtual raster (VRT) before one of its tiles',
    pattern: '*.vrt',
    ...{ asset: 'mosaic', path: 'mosaic.vrt' },
    first: {
      'mosaic.vrt':
        '<VRTDataset><SourceFilename relativeToVRT="1">tiles/1.tif</SourceFilename><SourceFilename relativeToVRT="1">tiles/2.tif</SourceFilename></VRTDataset>',
      'tiles/1.tif': tiff('1'),
    },
    later: { 'tiles/2.tif': tiff('2') },
  },
  {
    what: 'a split archive (.7z.001, .7z.002, …) before its last file',
    pattern: '*.7z.*',
    ...{ asset: 'scan.7z', path: 'scan.7z.001' },
    first: { 'scan.7z.001': sevenZip(5_042), 'scan.7z.002': Buffer.alloc(10, 1) },
    later: { 'scan.7z.003': Buffer.alloc(5_000, 7) },
  },
];

/** Files that refer to others and arrive before them. */
export const namedFiles: Group = {
  title: 'Files that refer to missing files',
  deliveries: kinds.map(
    ({ what, pattern, asset, path, first: firstFiles, later }): Delivery => ({
      comes: what,
      becomes: 'waits and names the missing file, then creates one asset with both',
      rule: { unit: { kind: 'files', patterns: [pattern] }, namePattern: '{name}' },
      play: async ({ write, untilSource, expectAssets }) => {
        await write(firstFiles);
        const [awaited = ''] = Object.keys(later);
        await untilSource(path, ({ why }) => why.includes(awaited));
        await write(later);
        await expectAssets([[asset, Object.keys({ ...firstFiles, ...later })]]);
      },
    }),
  ),
};
