import type { AssetView } from '../../preload/contract.ts';

const idsMadeHere = [2481907, 2481655, 2310044];
const asset = (
  id: number,
  type: AssetView['type'],
  name: string,
  bytes: number,
  dateAdded: string,
  status: AssetView['status'] = 'COMPLETE',
  percentComplete = 100,
): AssetView => ({
  id,
  type,
  name,
  bytes,
  dateAdded,
  status,
  percentComplete,
  madeHere: idsMadeHere.includes(id),
});

export const sampleAssets: readonly AssetView[] = [
  asset(2481907, '3DTILES', 'Hafen Süd 2026-11 – Befliegung', 0, '2026-11-20T05:40:00Z', 'AWAITING_FILES', 0),
  asset(2481899, '3DTILES', 'LoD2 Altstadt', 0, '2026-11-20T05:01:00Z', 'IN_PROGRESS', 38),
  asset(2481898, 'TERRAIN', 'Geländemodell Elbe', 0, '2026-11-20T05:00:00Z', 'REBALANCING', 71),
  asset(2481890, 'TERRAIN', 'DGM Bergbaufolge Nord', 0, '2026-11-20T04:30:00Z', 'DATA_ERROR', 4),
  asset(2481655, 'IMAGERY', 'Orthophoto 20 cm – Kreis Ost', 9_412_331_008, '2026-11-20T03:20:00Z'),
  asset(2310044, 'TERRAIN', 'DGM1 2025', 3_120_000_000, '2025-06-02T12:00:00Z'),
  asset(2310012, 'TERRAIN', 'DGM25 Land', 740_000_000, '2025-05-28T12:00:00Z'),
  asset(2240111, 'IMAGERY', 'Luftbild 1945, entzerrt', 512_000_000, '2025-03-01T08:15:00Z'),
  asset(2240090, '3DTILES', 'ALS Block 6 (laz)', 31_412_000_000, '2025-02-11T08:15:00Z', 'ERROR', 51),
  asset(1, 'TERRAIN', 'World Terrain', 0, '2018-04-01T00:00:00Z'),
  asset(96188, '3DTILES', 'OSM Buildings', 0, '2020-06-01T00:00:00Z', 'NOT_STARTED', 0),
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
