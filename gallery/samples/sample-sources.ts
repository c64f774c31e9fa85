import type { SourcePartView, SourceView } from '../../preload/contract.ts';
import type { Phrase } from '../../strings/phrase.ts';

const files = (count: number, ending: string): Phrase => ({
  key: 'kinds.reason.files',
  values: { count, each: { key: 'kinds.reason.ofEnding', values: { count, ending } } },
});

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
    reason: { names: [files(34, 'gml'), 'EPSG:25832'] },
  },
  lacking: [],
  kindKey: 'CITYGML',
  lastChoice: null,
  parts: [],
  suggestParts: false,
  forecast: { seconds: 70, bytesPerSecond: 31e6, filesPerSecond: null, shareOfLife: 70 / 3600 },
};

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
  lacking: [],
  kindKey: '.ptx',
  lastChoice: null,
  parts: [],
  suggestParts: false,
  forecast: null,
};

/** Heights of which some are without a coordinate system, with much that is left out. */
export const lackingSource: SourceView = {
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
    ...Array.from({ length: 60 }, (_, at) => `kacheln/${at}/Thumbs.db`),
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
  lacking: [
    {
      what: 'coordinate-system',
      sourceTypes: ['RASTER_IMAGERY', 'RASTER_TERRAIN'],
      lacking: 3,
      looked: 12,
      total: 12,
      examples: ['kacheln/dgm_04.asc', 'kacheln/dgm_05.asc', 'kacheln/dgm_11.asc'],
    },
  ],
  kindKey: 'RASTER_TERRAIN',
};

/** Photos, of which most know their place. */
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
  lacking: [
    {
      what: 'photo-position',
      sourceTypes: ['3D_CAPTURE'],
      lacking: 1,
      looked: 20,
      total: 412,
      examples: ['DJI_0271.jpg'],
    },
  ],
  kindKey: '3D_CAPTURE',
};

/** The same kind of data as last time, with what was chosen then. */
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

const partNames = ['Altstadt', 'Neustadt', 'Südvorstadt'];
const cityParts: readonly SourcePartView[] = partNames.map((name, at) => ({
  paths: [`/data/LoD2_${name}`],
  suggestedName: `LoD2 ${name}`,
  fileCount: 36 - at,
  bytes: 2.1e9 - at * 4e8,
  suggestion: citySource.suggestion,
  kindKey: 'CITYGML',
  lastChoice: null,
  forecast: { seconds: 70, bytesPerSecond: 31e6, filesPerSecond: null, shareOfLife: 70 / 3600 },
}));
const scans: SourcePartView = {
  paths: ['/data/scan_0412.laz', '/data/scan_0412.prj'],
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

/** Four that want to be an asset each. */
export const severalSource: SourceView = {
  ...citySource,
  paths: [...cityParts, scans].flatMap(({ paths }) => paths),
  fileCount: 107,
  bytes: 17.5e9,
  parts: [...cityParts, scans],
  suggestParts: true,
};

/** Takes so many times the life of its storage credentials. */
export function largeSource(shareOfLife: number): SourceView {
  const seconds = shareOfLife * 3600;
  return {
    ...citySource,
    bytes: seconds * 12e6,
    forecast: { seconds, bytesPerSecond: 12e6, filesPerSecond: null, shareOfLife },
  };
}

/** A building that does not know its place. */
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
