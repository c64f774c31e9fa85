import type { ImportedPresetsView, Preset } from '../../../preload/contract.ts';

const blank = {
  clampToTerrain: false,
  baseTerrainId: null,
  accountId: null,
  isDefault: false,
  options: '{}',
};

export const samplePresets: readonly Preset[] = [
  {
    ...{ ...blank, id: 'preset-1', name: 'LoD2, clamped', assetType: '3DTILES', sourceType: 'CITYGML' },
    ...{ clampToTerrain: true, isDefault: true, options: '{"textureFormat":"WEBP"}' },
  },
  {
    ...{ ...blank, id: 'preset-2', name: 'Without clamping', assetType: '3DTILES', sourceType: 'CITYGML' },
    options: '{"textureFormat":"AUTO"}',
  },
  {
    ...{ ...blank, id: 'preset-3', assetType: '3DTILES', sourceType: 'CITYGML' },
    name: 'Straßen, Brücken und Tunnel der Innenstadt mit allen Texturen in hoher Auflösung',
    options: '{"textureFormat":"AUTO","geometryCompression":"DRACO"}',
  },
  {
    ...{ ...blank, id: 'preset-4', name: 'Drone flights', assetType: '3DTILES', sourceType: '3D_CAPTURE' },
    options: '{"inputCrs":"EPSG:25832"}',
  },
];

export const faultyPresets: ImportedPresetsView = {
  kind: 'problems',
  path: '/home/mara/Downloads/presets.json',
  problems: [
    {
      key: 'rulesFile.problemAt',
      values: {
        line: 4,
        column: 7,
        field: 'presets[0].assetType',
        what: { key: 'rulesFile.problem.missing' },
      },
    },
    {
      key: 'rulesFile.problemAt',
      values: { line: 9, column: 7, field: 'presets[1].name', what: { key: 'presets.file.twice' } },
    },
  ],
};
