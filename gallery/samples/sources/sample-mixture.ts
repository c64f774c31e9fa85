import type { AssetSeen, PieceView, SeparateSourceView, SourceView } from '../../../preload/contract.ts';
import { moment } from '../moment.ts';
import {
  assetSeen,
  contentsOf,
  essenSource,
  groupsOf,
  leftOutGroup,
  piece,
  placedAs,
  proposedAsset,
  tileAt,
} from '../sample-sources.ts';

const pieces: readonly PieceView[] = [
  { ...piece('RASTER_IMAGERY', 6, 9e6, 'tif'), contents: contentsOf({ tif: 3, tfw: 3 }, ['tfw']) },
  { ...piece('RASTER_TERRAIN', 1, 179e3, 'tif'), names: ['dtm_1m.tif'] },
  piece('3D_CAPTURE', 40, 2.3e9, 'jpg'),
  piece('POINT_CLOUD', 3, 2.1e9, 'las'),
  { ...piece('CITYGML', 1, 2.5e6, 'gml'), name: 'lod2_buildings.gml' },
  leftOutGroup(
    'foreign',
    4,
    'parcels/parcels.shp',
    'parcels/parcels.dbf',
    'parcels/parcels.shx',
    'parcels/parcels.prj',
  ),
];
const names = ['Ortho', 'DTM 1 m', 'Flight', 'Point cloud', 'LoD2 buildings'].map(
  (name) => `Delivery 2026-11 · ${name}`,
);
const types = ['RASTER_IMAGERY', 'RASTER_TERRAIN', '3D_CAPTURE', 'POINT_CLOUD', 'CITYGML'] as const;
const separateSources = types.map(
  (type, index): SeparateSourceView =>
    proposedAsset(index, names[index] ?? '', type, pieces[index] as PieceView),
);
const earlierAsset = (index: number): SeparateSourceView['madeBefore'] => ({
  assetId: 20_011 + index,
  at: moment - 3_600_000,
});
const flawlessAssets: readonly AssetSeen[] = [
  assetSeen(0, 3, 'EPSG:25832'),
  assetSeen(1, 1, 'EPSG:25832'),
  assetSeen(2, 40),
  assetSeen(3, 3, 'EPSG:25832 + EPSG:7837'),
  assetSeen(4, 1, 'EPSG:25832'),
];

/** A delivery of five kinds without problems. */
export const fineMixtureSource: SourceView = {
  ...essenSource,
  paths: ['/data/Delivery 2026-11'],
  suggestedName: 'Delivery 2026-11',
  fileCount: 55,
  bytes: 4.4e9,
  ...placedAs([0, 1, 2, 3, 4, 5, 6, 7].map((index) => tileAt(index, index % 4, Math.floor(index / 4)))),
  ...{ pieces, separate: separateSources, assets: flawlessAssets, suggestSeparate: true },
};

/** The same with two orthophotos without a system, one of them without a position. */
export const failingMixtureSource: SourceView = {
  ...fineMixtureSource,
  separate: separateSources.map((asset, index) =>
    index === 4 ? { ...asset, madeBefore: earlierAsset(0) } : asset,
  ),
  assets: [
    {
      ...assetSeen(0, 3),
      systems: [{ system: 'EPSG:25832', count: 1 }],
      findings: groupsOf(
        3,
        {
          ...{ id: 'no-system-raster', keys: ['ortho/ortho_02.tif', 'ortho/ortho_03.tif'] },
          fix: { kind: 'assign', epsg: 25832 },
        },
        { id: 'no-place', keys: ['ortho/ortho_03.tif'] },
      ),
    },
    {
      ...assetSeen(1, 1, 'EPSG:25832'),
      findings: groupsOf(
        1,
        { id: 'no-vertical', keys: ['dtm_1m.tif'], fix: { kind: 'option', option: 'heightReference' } },
        { id: 'unnamed-fill', values: { value: '-9999' }, keys: ['dtm_1m.tif'] },
      ),
    },
    {
      ...assetSeen(2, 40),
      findings: groupsOf(40, { id: 'photos-without-position', keys: ['f/1.jpg', 'f/2.jpg'] }),
    },
    ...flawlessAssets.slice(3),
  ],
};

const sites = Array.from({ length: 30 }, (_, index) => index);

/** Thirty folders, 28 of them uploaded earlier. */
export const siteSource: SourceView = {
  ...fineMixtureSource,
  paths: sites.map((index) => `/data/Site ${index + 1}`),
  suggestedName: 'Site 1',
  fileCount: 120,
  bytes: 2.4e9,
  pieces: sites.map(() => piece('RASTER_IMAGERY', 4, 8e7, 'tif')),
  separate: sites.map((index) => ({
    ...proposedAsset(
      index,
      `Site ${String(index + 1).padStart(2, '0')}`,
      'RASTER_IMAGERY',
      piece('RASTER_IMAGERY', 4, 8e7, 'tif'),
    ),
    ...(index < 28 && { madeBefore: earlierAsset(index) }),
  })),
  assets: sites.map((index) => assetSeen(index, 4, 'EPSG:25832')),
};
