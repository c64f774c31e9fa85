import type {
  AssetSeen,
  FindingGroup,
  PieceView,
  SeparateSourceView,
  SourceView,
} from '../../preload/contract.ts';
import { type KnownSourceType, kindOf } from '../../shared/kinds.ts';
import type { Area } from '../../strings/format/place.ts';
import type { Phrase, PhraseValue } from '../../strings/phrase.ts';
import { moment } from './moment.ts';

export const files = (count: number, extension: string): Phrase => ({
  key: 'kinds.reason.files',
  values: { count, each: { key: 'kinds.reason.ofEnding', values: { count, ending: extension } } },
});

export const contentsOf = (counts: Readonly<Record<string, number>>, besideNames: readonly string[] = []) =>
  Object.entries(counts).map(([extension, count]) => ({
    ...{ extension, count, beside: besideNames.includes(extension) },
  }));

/** The contents of one kind with nothing left out. */
export const piece = (
  sourceType: string,
  fileCount: number,
  bytes: number,
  extension: string,
): PieceView => ({
  ...{ name: `data.${extension}`, sourceType, reason: null, fileCount, bytes },
  contents: contentsOf({ [extension]: fileCount }),
  names: [`data.${extension}`],
});

/** Files by their ending, and how many they are. */
const countedExtensions = (endings: Readonly<Record<string, number>>) => ({
  fileCount: Object.values(endings).reduce((sum, count) => sum + count, 0),
  extensions: Object.entries(endings).map(([extension, count]) => ({ extension, count })),
});

/** A dropped path, its suggested name and its files. */
export const droppedSource = (path: string, endings: Readonly<Record<string, number>>, bytes: number) => ({
  paths: [path],
  suggestedName: path
    .replace(/^.*\//, '')
    .replace(/\.\w+$/, '')
    .replaceAll('_', ' '),
  bytes,
  ...countedExtensions(endings),
});

/** What the files seem to be, and why. */
const suggesting = (sourceType: KnownSourceType, reason: PhraseValue) => ({
  suggestion: {
    kind: { key: `kinds.source.${sourceType}` } as const,
    ...{ assetType: kindOf(sourceType).assetType, sourceType, reason },
  },
  kindKey: sourceType,
});

type FoundGroup = Pick<FindingGroup, 'id'> & Partial<FindingGroup>;

/** Findings about the given files, or about all. */
export const groupsOf = (total: number, ...parts: readonly FoundGroup[]): readonly FindingGroup[] =>
  parts.map((part) => ({ count: part.keys?.length ?? total, looked: total, total, keys: [], ...part }));

export const forecastOf = (seconds: number, bytesPerSecond = 31e6) => ({
  ...{ seconds, bytesPerSecond, filesPerSecond: null, shareOfLife: seconds / 3600 },
});

const area = (text: string, west: number, east: number): Area => ({
  text,
  bounds: { west, south: 47, east, north: 55.06 },
});

export const sampleSystems = [
  { code: 25832, name: 'ETRS89 / UTM zone 32N', area: area('Europe between 6°E and 12°E', 6, 12) },
  { code: 25833, name: 'ETRS89 / UTM zone 33N', area: area('Europe between 12°E and 18°E', 12, 18) },
  {
    code: 32633,
    name: 'WGS 84 / UTM zone 33N',
    area: area('Between 12°E and 18°E, northern hemisphere …', 12, 18),
  },
  {
    code: 31467,
    name: 'DHDN / 3-degree Gauss-Kruger zone 3',
    area: area('Germany - former West Germany …', 7.5, 10.51),
  },
] as const;
export const nothingLeftOut = {
  ...{ ignoredCount: 0, ignoredNames: [], linkCount: 0, links: [], emptyFolderCount: 0, emptyFolders: [] },
};

/** Files of unknown kinds. */
export const mixedSource: SourceView = {
  paths: ['/data/Lieferung/a.e57', '/data/Lieferung/b.e57', 'D:\\Scans\\c'],
  suggestedName: 'Lieferung',
  bytes: 81.2e9,
  ...countedExtensions({ '.e57': 2, '.ptx': 5001, '.txt': 100, '.pdf': 16, '': 1 }),
  ...nothingLeftOut,
  suggestion: null,
  ...{ findings: [], footprints: [], density: null, seen: null },
  kindKey: '.ptx',
  lastChoice: null,
  ...{ separate: [], assets: [], pieces: [], taken: [], suggestSeparate: false },
  forecast: null,
};

export const citySource: SourceView = {
  ...mixedSource,
  ...droppedSource('/data/LoD2_Altstadt', { '.gml': 34, '.jpg': 2 }, 2.1e9),
  ...{ ignoredCount: 2, ignoredNames: ['Thumbs.db', 'texturen/Thumbs.db'] },
  suggestion: {
    ...suggesting('CITYGML', { names: [files(34, 'gml')] }).suggestion,
    kind: { key: 'kinds.cityGmlVersion', values: { version: '2.0' } },
  },
  kindKey: 'CITYGML',
  forecast: forecastOf(70),
};

/** Height tiles of one kilometre near Hannover. */
const tilesSource = (count: number): SourceView => ({
  ...citySource,
  ...droppedSource('/data/DGM1_Hannover', { '.tif': count }, 18.4e9),
  ...suggesting('RASTER_TERRAIN', { names: [files(count, 'tif')] }),
});

export const placedSource: SourceView = { ...tilesSource(288), ...placedAs(gridOf(288, 18)) };

/** Has an outlier near Munich. */
export const scatteredSource: SourceView = {
  ...placedSource,
  ...placedAs([...gridOf(287, 18), tile(287, 11.5, 48.1)]),
  findings: groupsOf(288, { id: 'far-away', values: { kilometres: 490 }, keys: [keyOf(287)] }),
};

/** A city in 1,600 tiles during inspection. */
export const manyTilesSource: SourceView = {
  ...tilesSource(1_600),
  ...placedAs(gridOf(1_600, 40)),
  findings: groupsOf(1_600, { id: 'cut-off', keys: [keyOf(811), keyOf(812)] }),
};

export const oneRasterSource: SourceView = {
  ...citySource,
  ...droppedSource('/data/DOP20_Harz.tif', { '.tif': 1 }, 3.6e9),
  ...suggesting('RASTER_IMAGERY', { names: [files(1, 'tif')] }),
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
  findings: groupsOf(1, { id: 'sixteen-bits', values: { bands: 4, bits: 16 }, keys: ['DOP20_Harz.tif'] }),
};

/** A country in 24,000 tiles as a density, denser in the north. */
export const countryTilesSource: SourceView = {
  ...tilesSource(24_000),
  ...{ paths: ['/data/DGM1_Niedersachsen'], suggestedName: 'DGM1 Niedersachsen' },
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
  findings: groupsOf(24_000, { id: 'cut-off', keys: [keyOf(0), keyOf(11_200)] }),
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
  placedCount = inspectedCount,
): NonNullable<SourceView['seen']> {
  return {
    ...{ state: 'done', looked: inspectedCount, total: inspectedCount, placed: placedCount, findings: [] },
    degrees: [{ degree: 'read', count: inspectedCount, examples: [] }],
    systems: placedCount > 0 ? [{ system: 'EPSG:25832', count: placedCount }] : [],
    extent: placedCount > 0 ? extent : null,
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

/** Files known by name only. */
export const unknownSource: SourceView = { ...mixedSource, seen: { ...seenOf(5_103, null, 0), degrees: [] } };

/** Formats missing from the service's guide. */
export const unlistedSource: SourceView = {
  ...mixedSource,
  ...countedExtensions({ '.ptx': 5001, '.txt': 100, '.e57': 1, '.ecw': 1, '.pdf': 1, '.shp': 1 }),
  findings: groupsOf(5_105, {
    id: 'unlisted-format',
    values: { endings: { list: ['.e57', '.ecw', '.pdf', '.shp'] } },
    keys: ['Halle 3.e57', 'luftbild/dop_2026.ecw', 'Übersicht.pdf', 'wege/Feldwege Süd.shp'],
  }),
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
  ...droppedSource('/data/Rathaus.ifc', { '.ifc': 1 }, 84e6),
  suggestion: { ...suggesting('BIM_CAD', files(1, 'ifc')).suggestion, kind: { key: 'kinds.buildingModel' } },
  kindKey: 'BIM_CAD',
  findings: groupsOf(1, {
    ...{ id: 'newly-listed-format', values: { endings: { list: ['.ifc'] } }, keys: ['Rathaus.ifc'] },
  }),
};

/** Heights, some without a coordinate system, and many left-out files. */
export const incompleteSource: SourceView = {
  ...citySource,
  ...droppedSource('/data/DGM1_2026', { '.asc': 12, '.prj': 9 }, 840e6),
  ignoredCount: 640,
  ignoredNames: [
    '.DS_Store',
    'alt/dgm_04.asc.part',
    ...Array.from({ length: 60 }, (_, index) => `kacheln/${index}/Thumbs.db`),
  ],
  ...{ linkCount: 2, links: ['kacheln/archiv', 'kacheln/neueste.asc'] },
  ...{ emptyFolderCount: 2, emptyFolders: ['kacheln/leer', 'metadaten'] },
  ...suggesting('RASTER_TERRAIN', files(12, 'asc')),
  findings: groupsOf(12, {
    id: 'no-system-raster',
    keys: ['kacheln/dgm_04.asc', 'kacheln/dgm_05.asc', 'kacheln/dgm_11.asc'],
    fix: { kind: 'assign' },
  }),
};

/** A city in 288 tiles in an oval. */
const cityTiles = Array.from({ length: 22 * 18 }, (_, index) => [index % 22, Math.floor(index / 22)] as const)
  .filter(([x, y]) => ((x - 10.5) / 11) ** 2 + ((y - 8.5) / 8.5) ** 2 < 1)
  .slice(0, 281)
  .map(([x, y], index) => tile(index, 9.58 + 0.0147 * x, 52.29 + 0.009 * y));

const farTiles = [284, 285, 286, 287];
const allTiles = Array.from({ length: 288 }, (_, index) => keyOf(index));

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
  findings: groupsOf(
    288,
    { id: 'cut-off', keys: [keyOf(187)], fix: { kind: 'leave-out' } },
    { id: 'no-system-raster', keys: [281, 282, 283].map(keyOf), fix: { kind: 'assign', epsg: 25_832 } },
    {
      id: 'zone-prefix',
      values: { system: 'EPSG:25832', area: { area: sampleSystems[0].area } },
      keys: [keyOf(57), keyOf(58)],
    },
    { id: 'far-away', values: { kilometres: 485 }, keys: farTiles.map(keyOf) },
    { id: 'no-vertical', keys: allTiles, fix: { kind: 'option', option: 'heightReference' } },
  ),
};

/** Colour images detected as heights. */
export const colouredSource: SourceView = {
  ...placedSource,
  findings: groupsOf(288, {
    id: 'terrain-of-colours',
    values: { bands: 3, bits: 8 },
    keys: allTiles,
    fix: { kind: 'switch', sourceType: 'RASTER_IMAGERY' },
  }),
};

export const pointsSource: SourceView = {
  ...citySource,
  ...droppedSource('/data/ALS_Block_7', { '.laz': 36 }, 2.1e9),
  ...suggesting('POINT_CLOUD', files(36, 'laz')),
};

export const photoSource: SourceView = {
  ...citySource,
  ...nothingLeftOut,
  ...droppedSource('/data/Befliegung', { '.jpg': 412 }, 2.1e9),
  ...suggesting('3D_CAPTURE', { key: 'kinds.reason.mostWithPosition', values: { files: files(412, 'jpg') } }),
  findings: groupsOf(412, { id: 'photos-without-position', looked: 20, keys: ['DJI_0271.jpg'] }),
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

/** Data that became an asset last Monday, perhaps with decisions about files. */
const sourceMadeBefore = (changes?: NonNullable<SourceView['madeBefore']>['changes']): SourceView => ({
  ...citySource,
  madeBefore: { assetId: 20_004, at: moment - 4 * 24 * 3600_000, ...(changes && { changes }) },
});
export const madeBeforeSource = sourceMadeBefore();
export const madeChangedSource = sourceMadeBefore({
  assigned: [25832],
  worded: false,
  leftOut: 12,
  takenAlong: 0,
});

/** Fully read files with at most one coordinate system. */
export const assetSeen = (group: number, count: number, system?: string): AssetSeen => ({
  ...{ group, findings: [], locatable: count },
  systems: system === undefined ? [] : [{ system, count }],
  degrees: [{ degree: 'read', count, examples: [] }],
});

const asset = (index: number, name: string, fileCount: number, bytes: number): SeparateSourceView => ({
  ...{ paths: [`/data/${name}`], pieces: [index], group: index, fileCount, bytes },
  suggestedName: name.replace(/\.\w+$/, '').replaceAll('_', ' '),
  suggestion: citySource.suggestion,
  kindKey: 'CITYGML',
  lastChoice: null,
  forecast: forecastOf(70),
});
const citySources = ['Altstadt', 'Neustadt', 'Südvorstadt'].map((name, index) =>
  asset(index, `LoD2_${name}`, 36 - index, 2.1e9 - index * 4e8),
);
const scans: SeparateSourceView = {
  ...asset(3, 'scan_0412.laz', 2, 12.4e9),
  paths: ['/data/scan_0412.laz', '/data/scan_0412.prj'],
  ...suggesting('POINT_CLOUD', { names: [files(1, 'laz'), 'LAZ 1.4', 'EPSG:25832'] }),
  forecast: forecastOf(400),
};

/** Four files for separate assets. */
export const severalSource: SourceView = {
  ...citySource,
  suggestion: citySource.suggestion && { ...citySource.suggestion, reason: { names: [files(105, 'gml')] } },
  paths: [...citySources, scans].flatMap(({ paths }) => paths),
  ...{ fileCount: 107, bytes: 17.5e9 },
  findings: groupsOf(106, {
    id: 'mixed-kinds',
    values: { kinds: { list: [files(105, 'gml'), { key: 'findings.family.points', values: { count: 1 } }] } },
    keys: ['scan_0412.laz'],
    fix: { kind: 'split' },
  }),
  separate: [...citySources, scans],
  assets: [34, 33, 32, 1].map((count, group) => assetSeen(group, count, 'EPSG:25832')),
  pieces: [
    ...citySources.map(({ fileCount, bytes }) => piece('CITYGML', fileCount, bytes, 'gml')),
    { ...piece('POINT_CLOUD', 2, 12.4e9, 'laz'), contents: contentsOf({ laz: 1, prj: 1 }, ['prj']) },
  ],
  suggestSeparate: true,
};

/** Takes a multiple of its credentials' lifetime. */
export function largeSource(shareOfLife: number): SourceView {
  const seconds = shareOfLife * 3600;
  return { ...citySource, bytes: seconds * 12e6, forecast: forecastOf(seconds, 12e6) };
}

export const modelSource: SourceView = {
  ...citySource,
  ...nothingLeftOut,
  ...droppedSource('/data/Werft_Halle_3.fbx', { '.fbx': 1 }, 812e6),
  ...suggesting('3D_MODEL', files(1, 'fbx')),
};

/** Models dropped without their textures. */
export const modelsAloneSource: SourceView = {
  ...modelSource,
  ...droppedSource('/data/Werft', { '.obj': 3 }, 214e6),
  paths: ['Halle', 'Kran', 'Dock'].map((name) => `/data/Werft/${name}.obj`),
  ...suggesting('3D_MODEL', files(3, 'obj')),
  findings: groupsOf(3, {
    id: 'missing-files',
    values: { names: { names: ['Halle.mtl', 'Kran.mtl'] } },
    keys: ['Halle.obj', 'Kran.obj'],
    fix: {
      kind: 'take-along',
      paths: [
        'Halle.mtl',
        'Kran.mtl',
        ...Array.from({ length: 12 }, (_, index) => `texturen/${index + 1}.jpg`),
      ].map((name) => `/data/Werft/${name}`),
    },
  }),
};

/** A tileset whose root has another name than the service expects. */
export const tilesetSource: SourceView = {
  ...modelSource,
  ...droppedSource('/data/Hafen_3D', { '.b3dm': 212, '.json': 1 }, 640e6),
  ...suggesting('3DTILES', files(212, 'b3dm')),
  findings: groupsOf(213, {
    ...{ id: 'tileset-name', values: { names: { names: ['hafen.json'] } }, keys: ['hafen.json'] },
    fix: { kind: 'tileset-root', key: 'hafen.json' },
  }),
};

/** A reality mesh with its position in another file. */
export const capturedSource: SourceView = {
  ...modelSource,
  ...droppedSource('/data/Production_7', { '.obj': 137, '.jpg': 274, '.xml': 1 }, 812e6),
  ...suggesting('3D_MODEL', files(137, 'obj')),
  findings: groupsOf(412, {
    ...{ id: 'local-coordinates', values: { system: 'EPSG:25832' }, keys: ['metadata.xml'] },
    fix: { kind: 'position', longitude: 9.73403713, latitude: 52.3480135, height: 40.5 },
  }),
};

export const proposedAsset = (
  index: number,
  suggestedName: string,
  sourceType: KnownSourceType,
  { fileCount, bytes, contents: [mainContent] }: PieceView,
): SeparateSourceView => ({
  ...scans,
  ...{ paths: ['/data/2026-11 Essen'], pieces: [index], group: index, suggestedName, fileCount, bytes },
  ...suggesting(sourceType, mainContent ? files(mainContent.count, mainContent.extension) : ''),
});
export const leftOutGroup = (
  reason: NonNullable<PieceView['reason']>,
  fileCount: number,
  ...names: string[]
): PieceView => ({ ...piece('', fileCount, fileCount * 4e6, 'docx'), reason, names });
const essenPieces = [
  {
    ...piece('RASTER_IMAGERY', 72, 12.1e9, 'tif'),
    contents: contentsOf({ tif: 24, tfw: 24, 'aux.xml': 24 }, ['tfw', 'aux.xml']),
  },
  piece('POINT_CLOUD', 18, 9.8e9, 'laz'),
  {
    ...piece('3D_MODEL', 14, 640e6, 'obj'),
    name: 'kirche.obj',
    contents: contentsOf({ obj: 1, jpg: 12, mtl: 1 }, ['mtl']),
  },
  { ...piece('CITYGML', 1, 38e6, 'zip'), name: 'LoD2_Altstadt.zip' },
  leftOutGroup('document', 1_251, 'Bericht/Bericht.docx', 'Bericht/Befliegung.mp4'),
  leftOutGroup('foreign', 5, 'roads.shp', 'roads.dbf', 'roads.prj', 'roads.shx', 'roads.cpg'),
] as const;

/** A folder with imagery, a scan, a model, a city model and other files. */
export const essenSource: SourceView = {
  ...citySource,
  ...{ paths: ['/data/2026-11 Essen'], suggestedName: '2026-11 Essen', fileCount: 1_361, bytes: 22.6e9 },
  suggestion: null,
  forecast: forecastOf(1_860, 12e6),
  separate: [
    proposedAsset(0, 'DOP20 Essen', 'RASTER_IMAGERY', essenPieces[0]),
    proposedAsset(1, 'Scan Zollverein', 'POINT_CLOUD', essenPieces[1]),
    proposedAsset(2, 'Kirche St. Marien', '3D_MODEL', essenPieces[2]),
    proposedAsset(3, 'LoD2 Altstadt', 'CITYGML', essenPieces[3]),
  ],
  assets: [
    assetSeen(0, 24, 'EPSG:25832'),
    assetSeen(1, 18, 'EPSG:25832 + EPSG:7837'),
    { ...assetSeen(2, 13), locatable: 0 },
    {
      ...assetSeen(3, 1, 'EPSG:25832'),
      degrees: [{ degree: 'names-only', count: 1, examples: [essenPieces[3].name] }],
    },
  ],
  pieces: essenPieces,
  suggestSeparate: true,
};

/** A thousand models, dropped with a scan. */
const thousandAssets = Array.from({ length: 1_000 }, (_, index) => ({
  ...piece('3D_MODEL', 3, 4e6, 'obj'),
  name: `Haus_${index + 1}.obj`,
}));
export const thousandSource: SourceView = {
  ...essenSource,
  fileCount: 3_018,
  bytes: 13.8e9,
  pieces: [...thousandAssets, piece('POINT_CLOUD', 18, 9.8e9, 'laz')],
  separate: [
    ...thousandAssets.map((model, index) => proposedAsset(index, `Haus ${index + 1}`, '3D_MODEL', model)),
    proposedAsset(1_000, 'Scan Zollverein', 'POINT_CLOUD', piece('POINT_CLOUD', 18, 9.8e9, 'laz')),
  ],
  assets: [
    ...thousandAssets.map((_one, index) => ({ ...assetSeen(index, 3), locatable: 0 })),
    assetSeen(1_000, 18, 'EPSG:25832'),
  ],
};

/** One kind with a report, which is left out. */
export const reportedSource: SourceView = {
  ...placedSource,
  bytes: 18.4e9 + 2 * 4e6,
  ...countedExtensions({ '.tif': 286, '.docx': 1, '.pdf': 1 }),
  ...placedAs(gridOf(286, 18)),
  pieces: [
    piece('RASTER_TERRAIN', 286, 18.4e9, 'tif'),
    leftOutGroup('document', 2, 'Bericht.pdf', 'Abnahme.docx'),
  ],
};

/** A single model: its textures are added, except a missing one. */
export const modelTakenSource: SourceView = {
  ...oneRasterSource,
  ...countedExtensions({ '.jpg': 12, '.obj': 1, '.mtl': 1, '.prj': 1 }),
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
  ...countedExtensions({ '.tif': 1, '.tfw': 1, '.prj': 1 }),
  taken: ['DOP20_Harz.tfw', 'DOP20_Harz.prj'],
};
