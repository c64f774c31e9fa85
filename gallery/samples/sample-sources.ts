import type { AssetSeen, PieceView, SeparateSourceView, SourceView } from '../../preload/contract.ts';
import { type KnownSourceType, kindOf } from '../../shared/kinds.ts';
import type { Phrase } from '../../strings/phrase.ts';
import { moment } from './moment.ts';

export const files = (count: number, extension: string): Phrase => ({
  key: 'kinds.reason.files',
  values: { count, each: { key: 'kinds.reason.ofEnding', values: { count, ending: extension } } },
});

/** The contents of one kind with nothing left out. */
export const piece = (
  sourceType: string,
  fileCount: number,
  bytes: number,
  extension: string,
): PieceView => ({
  name: `data.${extension}`,
  sourceType,
  reason: null,
  fileCount,
  bytes,
  contents: [{ extension, count: fileCount, beside: false }],
  names: [`data.${extension}`],
});

export const sampleSystems = [
  { code: 25832, name: 'ETRS89 / UTM zone 32N', area: 'Europe between 6°E and 12°E' },
  { code: 25833, name: 'ETRS89 / UTM zone 33N', area: 'Europe between 12°E and 18°E' },
  { code: 32633, name: 'WGS 84 / UTM zone 33N', area: 'Between 12°E and 18°E, northern hemisphere …' },
  { code: 31467, name: 'DHDN / 3-degree Gauss-Kruger zone 3', area: 'Germany - former West Germany …' },
] as const;
const utm32: Phrase = {
  key: 'kinds.reason.system',
  values: { system: 'EPSG:25832', name: sampleSystems[0].name, area: sampleSystems[0].area },
};

export const citySource: SourceView = {
  paths: ['/data/LoD2_Altstadt'],
  suggestedName: 'LoD2 Altstadt',
  fileCount: 36,
  bytes: 2.1e9,
  extensions: [
    { extension: '.gml', count: 34 },
    { extension: '.jpg', count: 2 },
  ],
  ignoredCount: 2,
  ignoredNames: ['Thumbs.db', 'texturen/Thumbs.db'],
  linkCount: 0,
  links: [],
  emptyFolderCount: 0,
  emptyFolders: [],
  suggestion: {
    kind: { key: 'kinds.cityGmlVersion', values: { version: '2.0' } },
    assetType: '3DTILES',
    sourceType: 'CITYGML',
    reason: { names: [files(34, 'gml'), utm32] },
  },
  findings: [],
  footprints: [],
  density: null,
  seen: null,
  kindKey: 'CITYGML',
  lastChoice: null,
  separate: [],
  assets: [],
  pieces: [],
  taken: [],
  suggestSeparate: false,
  forecast: { seconds: 70, bytesPerSecond: 31e6, filesPerSecond: null, shareOfLife: 70 / 3600 },
};

/** 288 tiles of one kilometre near Hannover. */
export const placedSource: SourceView = {
  ...citySource,
  paths: ['/data/DGM1_Hannover'],
  suggestedName: 'DGM1 Hannover',
  fileCount: 288,
  bytes: 18.4e9,
  extensions: [{ extension: '.tif', count: 288 }],
  suggestion: {
    kind: { key: 'kinds.source.RASTER_TERRAIN' },
    assetType: 'TERRAIN',
    sourceType: 'RASTER_TERRAIN',
    reason: { names: [files(288, 'tif'), utm32] },
  },
  kindKey: 'RASTER_TERRAIN',
  ...placedAs(gridOf(288, 18)),
};

/** Has an outlier near Munich. */
export const scatteredSource: SourceView = {
  ...placedSource,
  ...placedAs([...gridOf(287, 18), tile(287, 11.5, 48.1)]),
  findings: [
    { id: 'far-away', values: { kilometres: 490 }, count: 1, looked: 288, total: 288, keys: [keyOf(287)] },
  ],
};

/** A city in 1,600 tiles during inspection. */
export const manyTilesSource: SourceView = {
  ...placedSource,
  fileCount: 1_600,
  suggestion: placedSource.suggestion && {
    ...placedSource.suggestion,
    reason: { names: [files(1_600, 'tif'), utm32] },
  },
  extensions: [{ extension: '.tif', count: 1_600 }],
  ...placedAs(gridOf(1_600, 40)),
  findings: [{ id: 'cut-off', count: 2, looked: 1_600, total: 1_600, keys: [keyOf(811), keyOf(812)] }],
};

export const oneRasterSource: SourceView = {
  ...placedSource,
  paths: ['/data/DOP20_Harz.tif'],
  suggestedName: 'DOP20 Harz',
  fileCount: 1,
  bytes: 3.6e9,
  extensions: [{ extension: '.tif', count: 1 }],
  suggestion: {
    kind: { key: 'kinds.source.RASTER_IMAGERY' },
    assetType: 'IMAGERY',
    sourceType: 'RASTER_IMAGERY',
    reason: { names: [files(1, 'tif'), utm32] },
  },
  footprints: [
    {
      key: 'DOP20_Harz.tif',
      ring: [
        [10.18, 51.6],
        [10.2, 51.96],
        [11.1, 51.94],
        [11.07, 51.58],
        [10.18, 51.6],
      ],
    },
  ],
  seen: seenOf(1, { west: 10.18, south: 51.58, east: 11.1, north: 51.96 }),
  findings: [
    {
      id: 'sixteen-bits',
      values: { bands: 4, bits: 16 },
      count: 1,
      looked: 1,
      total: 1,
      keys: ['DOP20_Harz.tif'],
    },
  ],
};

/** A country in 24,000 tiles as a density, denser in the north. */
export const countryTilesSource: SourceView = {
  ...placedSource,
  paths: ['/data/DGM1_Niedersachsen'],
  suggestedName: 'DGM1 Niedersachsen',
  fileCount: 24_000,
  suggestion: placedSource.suggestion && {
    ...placedSource.suggestion,
    reason: { names: [files(24_000, 'tif'), utm32] },
  },
  extensions: [{ extension: '.tif', count: 24_000 }],
  footprints: [tile(0, 9.6, 52.34), tile(1, 9.6147, 52.34), tile(2, 9.6, 52.349)],
  density: {
    size: 0.25,
    cells: Array.from({ length: 96 }, (_, index) => [
      7 + 0.25 * (index % 12),
      51.5 + 0.25 * Math.floor(index / 12),
      60 + 4 * index,
    ]),
  },
  seen: seenOf(24_000, { west: 7, south: 51.5, east: 10, north: 53.5 }),
  findings: [{ id: 'cut-off', count: 2, looked: 24_000, total: 24_000, keys: [keyOf(0), keyOf(11_200)] }],
};

/** Footprints of a source's files with their facts. `looked`: number of inspected files. */
export function placedAs(
  footprints: SourceView['footprints'],
  inspectedCount = footprints.length,
): Pick<SourceView, 'footprints' | 'seen'> {
  const corners = footprints.flatMap(({ ring }) => ring);
  const [longitudes, latitudes] = [
    corners.map(([longitude]) => longitude),
    corners.map(([, latitude]) => latitude),
  ];
  const extent = {
    ...{ west: Math.min(...longitudes), south: Math.min(...latitudes) },
    ...{ east: Math.max(...longitudes), north: Math.max(...latitudes) },
  };
  return { footprints, seen: seenOf(inspectedCount, extent, footprints.length) };
}

function gridOf(count: number, inRow: number): SourceView['footprints'] {
  return Array.from({ length: count }, (_, index) => tileAt(index, index % inRow, Math.floor(index / inRow)));
}

/** A tile of a grid near Hannover. */
export function tileAt(index: number, column: number, row: number): SourceView['footprints'][number] {
  return tile(index, 9.6 + 0.0147 * column, 52.34 + 0.009 * row);
}

/** All files have a position, with a few exceptions. */
function seenOf(
  inspectedCount: number,
  extent: NonNullable<SourceView['seen']>['extent'],
  placed = inspectedCount,
): NonNullable<SourceView['seen']> {
  return {
    ...{ state: 'done', looked: inspectedCount, total: inspectedCount, placed, findings: [] },
    degrees: [{ degree: 'read', count: inspectedCount, examples: [] }],
    systems: placed > 0 ? [{ system: 'EPSG:25832', count: placed }] : [],
    extent: placed > 0 ? extent : null,
  };
}

export function keyOf(index: number): string {
  return `kacheln/dgm_${String(index + 1).padStart(4, '0')}.tif`;
}

export function tile(index: number, west: number, south: number): SourceView['footprints'][number] {
  const [east, north] = [west + 0.0147, south + 0.009];
  return {
    key: keyOf(index),
    ring: [
      [west, south],
      [west, north],
      [east, north],
      [east, south],
      [west, south],
    ],
  };
}

export const mixedSource: SourceView = {
  paths: ['/data/Lieferung/a.e57', '/data/Lieferung/b.e57', 'D:\\Scans\\c'],
  suggestedName: 'Lieferung',
  fileCount: 5120,
  bytes: 81.2e9,
  extensions: [
    { extension: '.e57', count: 2 },
    { extension: '.ptx', count: 5001 },
    { extension: '.txt', count: 100 },
    { extension: '.pdf', count: 16 },
    { extension: '', count: 1 },
  ],
  ignoredCount: 0,
  ignoredNames: [],
  linkCount: 0,
  links: [],
  emptyFolderCount: 0,
  emptyFolders: [],
  suggestion: null,
  findings: [],
  footprints: [],
  density: null,
  seen: null,
  kindKey: '.ptx',
  lastChoice: null,
  separate: [],
  assets: [],
  pieces: [],
  taken: [],
  suggestSeparate: false,
  forecast: null,
};

/** Files known by name only. */
export const unknownSource: SourceView = { ...mixedSource, seen: { ...seenOf(5_103, null, 0), degrees: [] } };

/** Formats missing from the service's guide. */
export const unlistedSource: SourceView = {
  ...mixedSource,
  fileCount: 5_105,
  extensions: [
    ...mixedSource.extensions.slice(1, 3),
    ...['.e57', '.ecw', '.pdf', '.shp'].map((extension) => ({ extension, count: 1 })),
  ],
  findings: [
    {
      id: 'unlisted-format',
      values: { endings: { list: ['.e57', '.ecw', '.pdf', '.shp'] } },
      count: 4,
      looked: 5_105,
      total: 5_105,
      keys: ['Halle 3.e57', 'luftbild/dop_2026.ecw', 'Übersicht.pdf', 'wege/Feldwege Süd.shp'],
    },
  ],
  seen: {
    ...seenOf(5_103, null, 0),
    degrees: [
      { degree: 'end-only', count: 2, examples: ['Halle 3.e57', 'wege/Feldwege Süd.shp'] },
      { degree: 'no-reader', count: 1, examples: ['luftbild/dop_2026.ecw'] },
    ],
  },
};

/** A format that only newer editions of the guide list. */
export const newlyListedSource: SourceView = {
  ...mixedSource,
  paths: ['/data/Rathaus.ifc'],
  suggestedName: 'Rathaus',
  fileCount: 1,
  bytes: 84e6,
  extensions: [{ extension: '.ifc', count: 1 }],
  suggestion: {
    kind: { key: 'kinds.buildingModel' },
    assetType: '3DTILES',
    sourceType: 'BIM_CAD',
    reason: files(1, 'ifc'),
  },
  kindKey: 'BIM_CAD',
  findings: [
    {
      id: 'newly-listed-format',
      values: { endings: { list: ['.ifc'] } },
      count: 1,
      looked: 1,
      total: 1,
      keys: ['Rathaus.ifc'],
    },
  ],
};

/** Heights, some without a coordinate system, and many left-out files. */
export const incompleteSource: SourceView = {
  ...citySource,
  paths: ['/data/DGM1_2026'],
  suggestedName: 'DGM1 2026',
  fileCount: 21,
  bytes: 840e6,
  extensions: [
    { extension: '.asc', count: 12 },
    { extension: '.prj', count: 9 },
  ],
  ignoredCount: 640,
  ignoredNames: [
    '.DS_Store',
    'alt/dgm_04.asc.part',
    ...Array.from({ length: 60 }, (_, index) => `kacheln/${index}/Thumbs.db`),
  ],
  linkCount: 2,
  links: ['kacheln/archiv', 'kacheln/neueste.asc'],
  emptyFolderCount: 2,
  emptyFolders: ['kacheln/leer', 'metadaten'],
  suggestion: {
    kind: { key: 'kinds.source.RASTER_TERRAIN' },
    assetType: 'TERRAIN',
    sourceType: 'RASTER_TERRAIN',
    reason: files(12, 'asc'),
  },
  findings: [
    {
      id: 'no-system-raster',
      count: 3,
      looked: 12,
      total: 12,
      keys: ['kacheln/dgm_04.asc', 'kacheln/dgm_05.asc', 'kacheln/dgm_11.asc'],
      fix: { kind: 'assign' },
    },
  ],
  kindKey: 'RASTER_TERRAIN',
};

/** A city in 288 tiles in an oval. */
const cityTiles = Array.from({ length: 22 * 18 }, (_, index) => [index % 22, Math.floor(index / 22)] as const)
  .filter(([x, y]) => ((x - 10.5) / 11) ** 2 + ((y - 8.5) / 8.5) ** 2 < 1)
  .slice(0, 281)
  .map(([x, y], index) => tile(index, 9.58 + 0.0147 * x, 52.29 + 0.009 * y));

const farTiles = [284, 285, 286, 287];

/** Height tiles with many findings. */
export const doubtfulSource: SourceView = {
  ...placedSource,
  ignoredCount: incompleteSource.ignoredCount,
  ignoredNames: incompleteSource.ignoredNames,
  ...placedAs(
    [
      ...cityTiles,
      ...farTiles.map((index) =>
        tile(index, 11.5 + 0.0147 * (index % 2), 48.1 + 0.009 * Math.floor(index / 286)),
      ),
    ],
    288,
  ),
  findings: [
    {
      id: 'cut-off',
      count: 1,
      looked: 288,
      total: 288,
      keys: [keyOf(187)],
      fix: { kind: 'leave-out' },
    },
    {
      id: 'no-system-raster',
      count: 3,
      looked: 288,
      total: 288,
      keys: [281, 282, 283].map(keyOf),
      fix: { kind: 'assign', epsg: 25_832 },
    },
    {
      id: 'zone-prefix',
      values: { system: 'EPSG:25832', area: sampleSystems[0].area },
      count: 2,
      looked: 288,
      total: 288,
      keys: [keyOf(57), keyOf(58)],
    },
    {
      id: 'far-away',
      values: { kilometres: 485 },
      count: farTiles.length,
      looked: 288,
      total: 288,
      keys: farTiles.map(keyOf),
    },
    {
      id: 'no-vertical',
      count: 288,
      looked: 288,
      total: 288,
      keys: Array.from({ length: 288 }, (_, index) => keyOf(index)),
      fix: { kind: 'option', option: 'heightReference' },
    },
  ],
};

/** Colour images detected as heights. */
export const colouredSource: SourceView = {
  ...placedSource,
  findings: [
    {
      id: 'terrain-of-colours',
      values: { bands: 3, bits: 8 },
      count: 288,
      looked: 288,
      total: 288,
      keys: Array.from({ length: 288 }, (_, index) => keyOf(index)),
      fix: { kind: 'switch', sourceType: 'RASTER_IMAGERY' },
    },
  ],
};

export const pointsSource: SourceView = {
  ...citySource,
  paths: ['/data/ALS_Block_7'],
  suggestedName: 'ALS Block 7',
  extensions: [{ extension: '.laz', count: 36 }],
  suggestion: {
    kind: { key: 'kinds.source.POINT_CLOUD' },
    assetType: '3DTILES',
    sourceType: 'POINT_CLOUD',
    reason: files(36, 'laz'),
  },
  kindKey: 'POINT_CLOUD',
};

export const photoSource: SourceView = {
  ...citySource,
  paths: ['/data/Befliegung'],
  suggestedName: 'Befliegung',
  fileCount: 412,
  extensions: [{ extension: '.jpg', count: 412 }],
  ignoredCount: 0,
  ignoredNames: [],
  suggestion: {
    kind: { key: 'kinds.source.3D_CAPTURE' },
    assetType: '3DTILES',
    sourceType: '3D_CAPTURE',
    reason: { key: 'kinds.reason.mostWithPosition', values: { files: files(412, 'jpg') } },
  },
  findings: [{ id: 'photos-without-position', count: 1, looked: 20, total: 412, keys: ['DJI_0271.jpg'] }],
  kindKey: '3D_CAPTURE',
};

/** The kind of the last upload, with its choices. */
export const rememberedSource: SourceView = {
  ...citySource,
  lastChoice: {
    assetType: '3DTILES',
    sourceType: 'CITYGML',
    clampToTerrain: true,
    baseTerrainId: 2_310_044,
    options: '{"textureFormat":"WEBP","geometryCompression":"DRACO"}',
  },
};

/** Data that became an asset last Monday. */
export const madeBeforeSource: SourceView = {
  ...citySource,
  madeBefore: { assetId: 20_004, at: moment - 4 * 24 * 3600_000 },
};

/** The same, with decisions about files. */
export const madeChangedSource: SourceView = {
  ...citySource,
  madeBefore: {
    assetId: 20_004,
    at: moment - 4 * 24 * 3600_000,
    changes: { assigned: [25832], worded: false, leftOut: 12, takenAlong: 0 },
  },
};

/** Fully read files with at most one coordinate system. */
export const assetSeen = (group: number, count: number, system?: string): AssetSeen => ({
  ...{ group, findings: [], locatable: count },
  systems: system === undefined ? [] : [{ system, count }],
  degrees: [{ degree: 'read', count, examples: [] }],
});

const cityNames = ['Altstadt', 'Neustadt', 'Südvorstadt'];
const citySources: readonly SeparateSourceView[] = cityNames.map((name, index) => ({
  paths: [`/data/LoD2_${name}`],
  pieces: [index],
  group: index,
  suggestedName: `LoD2 ${name}`,
  fileCount: 36 - index,
  bytes: 2.1e9 - index * 4e8,
  suggestion: citySource.suggestion,
  kindKey: 'CITYGML',
  lastChoice: null,
  forecast: { seconds: 70, bytesPerSecond: 31e6, filesPerSecond: null, shareOfLife: 70 / 3600 },
}));
const scans: SeparateSourceView = {
  paths: ['/data/scan_0412.laz', '/data/scan_0412.prj'],
  pieces: [3],
  group: 3,
  suggestedName: 'scan 0412',
  fileCount: 2,
  bytes: 12.4e9,
  suggestion: {
    kind: { key: 'kinds.source.POINT_CLOUD' },
    assetType: '3DTILES',
    sourceType: 'POINT_CLOUD',
    reason: { names: [files(1, 'laz'), 'LAZ 1.4', 'EPSG:25832'] },
  },
  kindKey: 'POINT_CLOUD',
  lastChoice: null,
  forecast: { seconds: 400, bytesPerSecond: 31e6, filesPerSecond: null, shareOfLife: 400 / 3600 },
};

/** Four files for separate assets. */
export const severalSource: SourceView = {
  ...citySource,
  suggestion: citySource.suggestion && {
    ...citySource.suggestion,
    reason: { names: [files(105, 'gml'), utm32] },
  },
  paths: [...citySources, scans].flatMap(({ paths }) => paths),
  fileCount: 107,
  bytes: 17.5e9,
  findings: [
    {
      id: 'mixed-kinds',
      values: {
        kinds: {
          list: [files(105, 'gml'), { key: 'findings.family.points', values: { count: 1 } }],
        },
      },
      count: 1,
      looked: 106,
      total: 106,
      keys: ['scan_0412.laz'],
      fix: { kind: 'split' },
    },
  ],
  separate: [...citySources, scans],
  assets: [34, 33, 32, 1].map((count, group) => assetSeen(group, count, 'EPSG:25832')),
  pieces: [
    ...citySources.map(({ fileCount, bytes }) => piece('CITYGML', fileCount, bytes, 'gml')),
    {
      ...piece('POINT_CLOUD', 2, 12.4e9, 'laz'),
      contents: [
        { extension: 'laz', count: 1, beside: false },
        { extension: 'prj', count: 1, beside: true },
      ],
    },
  ],
  suggestSeparate: true,
};

/** Takes a multiple of its credentials' lifetime. */
export function largeSource(shareOfLife: number): SourceView {
  const seconds = shareOfLife * 3600;
  return {
    ...citySource,
    bytes: seconds * 12e6,
    forecast: { seconds, bytesPerSecond: 12e6, filesPerSecond: null, shareOfLife },
  };
}

/** Models dropped without their textures. */
export const modelsAloneSource = (): SourceView => ({
  ...modelSource,
  paths: ['Halle', 'Kran', 'Dock'].map((name) => `/data/Werft/${name}.obj`),
  suggestedName: 'Werft',
  fileCount: 3,
  bytes: 214e6,
  extensions: [{ extension: '.obj', count: 3 }],
  suggestion: modelSource.suggestion && { ...modelSource.suggestion, reason: files(3, 'obj') },
  findings: [
    {
      id: 'missing-files',
      values: { names: { names: ['Halle.mtl', 'Kran.mtl'] } },
      count: 2,
      looked: 3,
      total: 3,
      keys: ['Halle.obj', 'Kran.obj'],
      fix: {
        kind: 'take-along',
        paths: [
          'Halle.mtl',
          'Kran.mtl',
          ...Array.from({ length: 12 }, (_, index) => `texturen/${index + 1}.jpg`),
        ].map((name) => `/data/Werft/${name}`),
      },
    },
  ],
});

/** A tileset whose root has another name than the service expects. */
export const tilesetSource = (): SourceView => ({
  ...modelSource,
  paths: ['/data/Hafen_3D'],
  suggestedName: 'Hafen 3D',
  fileCount: 213,
  bytes: 640e6,
  extensions: [
    { extension: '.b3dm', count: 212 },
    { extension: '.json', count: 1 },
  ],
  suggestion: {
    kind: { key: 'kinds.source.3DTILES' },
    assetType: '3DTILES',
    sourceType: '3DTILES',
    reason: files(212, 'b3dm'),
  },
  kindKey: '3DTILES',
  findings: [
    {
      ...{ id: 'tileset-name', values: { names: { names: ['hafen.json'] } } },
      ...{ count: 1, looked: 213, total: 213, keys: ['hafen.json'] },
      fix: { kind: 'tileset-root', key: 'hafen.json' },
    },
  ],
});

/** A reality mesh with its position in another file. */
export const capturedSource = (): SourceView => ({
  ...modelSource,
  paths: ['/data/Production_7'],
  suggestedName: 'Production 7',
  fileCount: 412,
  extensions: [
    { extension: '.obj', count: 137 },
    { extension: '.jpg', count: 274 },
    { extension: '.xml', count: 1 },
  ],
  suggestion: modelSource.suggestion && { ...modelSource.suggestion, reason: files(137, 'obj') },
  findings: [
    {
      id: 'local-coordinates',
      values: { system: 'EPSG:25832' },
      count: 1,
      looked: 412,
      total: 412,
      keys: ['metadata.xml'],
      fix: { kind: 'position', longitude: 9.73403713, latitude: 52.3480135, height: 40.5 },
    },
  ],
});

export const modelSource: SourceView = {
  ...citySource,
  paths: ['/data/Werft_Halle_3.fbx'],
  suggestedName: 'Werft Halle 3',
  fileCount: 1,
  bytes: 812e6,
  extensions: [{ extension: '.fbx', count: 1 }],
  ignoredCount: 0,
  ignoredNames: [],
  suggestion: {
    kind: { key: 'kinds.source.3D_MODEL' },
    assetType: '3DTILES',
    sourceType: '3D_MODEL',
    reason: files(1, 'fbx'),
  },
  kindKey: '3D_MODEL',
};

export const proposed = (
  index: number,
  suggestedName: string,
  sourceType: KnownSourceType,
  { fileCount, bytes, contents: [mainContent] }: PieceView,
): SeparateSourceView => ({
  ...scans,
  paths: ['/data/2026-11 Essen'],
  pieces: [index],
  group: index,
  suggestedName,
  fileCount,
  bytes,
  suggestion: {
    kind: { key: `kinds.source.${sourceType}` },
    assetType: kindOf(sourceType).assetType,
    sourceType,
    reason: mainContent ? files(mainContent.count, mainContent.extension) : '',
  },
  kindKey: sourceType,
});
export const out = (
  reason: NonNullable<PieceView['reason']>,
  fileCount: number,
  ...names: string[]
): PieceView => ({
  ...piece('', fileCount, fileCount * 4e6, 'docx'),
  reason,
  names,
});
const essenPieces: readonly PieceView[] = [
  {
    ...piece('RASTER_IMAGERY', 72, 12.1e9, 'tif'),
    contents: [
      { extension: 'tif', count: 24, beside: false },
      { extension: 'tfw', count: 24, beside: true },
      { extension: 'aux.xml', count: 24, beside: true },
    ],
  },
  piece('POINT_CLOUD', 18, 9.8e9, 'laz'),
  {
    ...piece('3D_MODEL', 14, 640e6, 'obj'),
    name: 'kirche.obj',
    contents: [
      { extension: 'obj', count: 1, beside: false },
      { extension: 'jpg', count: 12, beside: false },
      { extension: 'mtl', count: 1, beside: true },
    ],
  },
  { ...piece('CITYGML', 1, 38e6, 'zip'), name: 'LoD2_Altstadt.zip' },
  out('document', 1_251, 'Bericht/Bericht.docx', 'Bericht/Befliegung.mp4'),
  out('foreign', 5, 'roads.shp', 'roads.dbf', 'roads.prj', 'roads.shx', 'roads.cpg'),
];

/** A folder with imagery, a scan, a model, a city model and other files. */
export const essenSource: SourceView = {
  ...citySource,
  paths: ['/data/2026-11 Essen'],
  suggestedName: '2026-11 Essen',
  fileCount: 1_361,
  bytes: 22.6e9,
  suggestion: null,
  forecast: { seconds: 1_860, bytesPerSecond: 12e6, filesPerSecond: null, shareOfLife: 1_860 / 3600 },
  separate: [
    proposed(0, 'DOP20 Essen', 'RASTER_IMAGERY', essenPieces[0] as PieceView),
    proposed(1, 'Scan Zollverein', 'POINT_CLOUD', essenPieces[1] as PieceView),
    proposed(2, 'Kirche St. Marien', '3D_MODEL', essenPieces[2] as PieceView),
    proposed(3, 'LoD2 Altstadt', 'CITYGML', essenPieces[3] as PieceView),
  ],
  assets: [
    assetSeen(0, 24, 'EPSG:25832'),
    assetSeen(1, 18, 'EPSG:25832 + EPSG:7837'),
    { ...assetSeen(2, 13), locatable: 0 },
    {
      ...assetSeen(3, 1, 'EPSG:25832'),
      degrees: [{ degree: 'names-only', count: 1, examples: [essenPieces[3]?.name ?? ''] }],
    },
  ],
  pieces: essenPieces,
  suggestSeparate: true,
};

/** A thousand models, dropped with a scan. */
const thousand = Array.from({ length: 1_000 }, (_, index) => ({
  ...piece('3D_MODEL', 3, 4e6, 'obj'),
  name: `Haus_${index + 1}.obj`,
}));
export const thousandSource: SourceView = {
  ...essenSource,
  fileCount: 3_018,
  bytes: 13.8e9,
  pieces: [...thousand, piece('POINT_CLOUD', 18, 9.8e9, 'laz')],
  separate: [
    ...thousand.map((model, index) => proposed(index, `Haus ${index + 1}`, '3D_MODEL', model)),
    proposed(1_000, 'Scan Zollverein', 'POINT_CLOUD', piece('POINT_CLOUD', 18, 9.8e9, 'laz')),
  ],
  assets: [
    ...thousand.map((_one, index) => ({ ...assetSeen(index, 3), locatable: 0 })),
    assetSeen(1_000, 18, 'EPSG:25832'),
  ],
};

/** One kind with a report, which is left out. */
export const reportedSource: SourceView = {
  ...placedSource,
  bytes: 18.4e9 + 2 * 4e6,
  extensions: [
    { extension: '.tif', count: 286 },
    { extension: '.docx', count: 1 },
    { extension: '.pdf', count: 1 },
  ],
  ...placedAs(gridOf(286, 18)),
  pieces: [
    { ...piece('RASTER_TERRAIN', 286, 18.4e9, 'tif') },
    { ...out('document', 2, 'Bericht.pdf', 'Abnahme.docx') },
  ],
};

/** A single model: its textures are added, except a missing one. */
export const modelTakenSource: SourceView = {
  ...oneRasterSource,
  fileCount: 15,
  extensions: [
    { extension: '.jpg', count: 12 },
    ...['.obj', '.mtl', '.prj'].map((extension) => ({ extension, count: 1 })),
  ],
  taken: [
    'Rathaus.mtl',
    ...Array.from({ length: 12 }, (_, index) => `texturen/fassade_${index + 1}.jpg`),
    'Rathaus.prj',
  ],
  notUtf8: { count: 1, names: ['texturen/Gel\\xE4nde.jpg'] },
};

/** A single file with sidecar files. */
export const takenSource: SourceView = {
  ...oneRasterSource,
  fileCount: 3,
  extensions: ['.tif', '.tfw', '.prj'].map((extension) => ({ extension, count: 1 })),
  taken: ['DOP20_Harz.tfw', 'DOP20_Harz.prj'],
};
