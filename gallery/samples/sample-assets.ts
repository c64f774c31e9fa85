import type { AssetView } from '../../preload/contract.ts';

export const sampleAssets: readonly AssetView[] = [
  {
    id: 2481907,
    type: '3DTILES',
    name: 'Hafen Süd 2026-11 – Befliegung',
    bytes: 0,
    dateAdded: '2026-11-20T05:40:00Z',
    status: 'AWAITING_FILES',
    percentComplete: 0,
    madeHere: true,
  },
  {
    id: 2481899,
    type: '3DTILES',
    name: 'LoD2 Altstadt',
    bytes: 0,
    dateAdded: '2026-11-20T05:01:00Z',
    status: 'IN_PROGRESS',
    percentComplete: 38,
    madeHere: false,
  },
  {
    id: 2481898,
    type: 'TERRAIN',
    name: 'Geländemodell Elbe',
    bytes: 0,
    dateAdded: '2026-11-20T05:00:00Z',
    status: 'REBALANCING',
    percentComplete: 71,
    madeHere: false,
  },
  {
    id: 2481890,
    type: 'TERRAIN',
    name: 'DGM Bergbaufolge Nord',
    bytes: 0,
    dateAdded: '2026-11-20T04:30:00Z',
    status: 'DATA_ERROR',
    percentComplete: 4,
    madeHere: false,
  },
  {
    id: 2481655,
    type: 'IMAGERY',
    name: 'Orthophoto 20 cm – Kreis Ost',
    bytes: 9_412_331_008,
    dateAdded: '2026-11-20T03:20:00Z',
    status: 'COMPLETE',
    percentComplete: 100,
    madeHere: true,
  },
  {
    id: 2310044,
    type: 'TERRAIN',
    name: 'DGM1 2025',
    bytes: 3_120_000_000,
    dateAdded: '2025-06-02T12:00:00Z',
    status: 'COMPLETE',
    percentComplete: 100,
    madeHere: true,
  },
  {
    id: 2310012,
    type: 'TERRAIN',
    name: 'DGM25 Land',
    bytes: 740_000_000,
    dateAdded: '2025-05-28T12:00:00Z',
    status: 'COMPLETE',
    percentComplete: 100,
    madeHere: false,
  },
  {
    id: 2240111,
    type: 'IMAGERY',
    name: 'Luftbild 1945, entzerrt',
    bytes: 512_000_000,
    dateAdded: '2025-03-01T08:15:00Z',
    status: 'COMPLETE',
    percentComplete: 100,
    madeHere: false,
  },
  {
    id: 2240090,
    type: '3DTILES',
    name: 'ALS Block 6 (laz)',
    bytes: 31_412_000_000,
    dateAdded: '2025-02-11T08:15:00Z',
    status: 'ERROR',
    percentComplete: 51,
    madeHere: false,
  },
  {
    id: 1,
    type: 'TERRAIN',
    name: 'World Terrain',
    bytes: 0,
    dateAdded: '2018-04-01T00:00:00Z',
    status: 'COMPLETE',
    percentComplete: 100,
    madeHere: false,
  },
  {
    id: 96188,
    type: '3DTILES',
    name: 'OSM Buildings',
    bytes: 0,
    dateAdded: '2020-06-01T00:00:00Z',
    status: 'NOT_STARTED',
    percentComplete: 0,
    madeHere: false,
  },
];

export function manyAssets(count: number): readonly AssetView[] {
  return Array.from({ length: count }, (_, index) => {
    const model = sampleAssets[index % sampleAssets.length] ?? sampleAssets[0];
    return { ...(model as AssetView), id: 3_000_000 + index, name: `${model?.name} ${index}` };
  });
}

export const longNamed: readonly AssetView[] = sampleAssets.map((asset, index) => ({
  ...asset,
  name: `2026-11_Hafen_Sued_Los${index + 1}_Befliegung_UAV_Nadir_GSD2cm_ETRS89_UTM32N_v3`,
}));
