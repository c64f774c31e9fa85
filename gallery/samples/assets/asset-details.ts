import type { AssetDetailsView, AssetHereView, AssetView } from '../../../preload/contract.ts';

const pictures = `Orthophoto of the **eastern district**, 20 cm, flown in November 2026.

- coordinate system: \`EPSG:25832\`
- overlap 80/60, processed by the *survey office*

More is in [the delivery note](https://example.com/lieferschein).`;

const heights = `Terrain model of the **whole district**, 1 m, from the laser scan of 2025.`;

/** The service's record of an asset; long for the failed terrain, short for others. */
export function detailsOf(asset: AssetView): AssetDetailsView {
  const isFailed = asset.status === 'DATA_ERROR' || asset.status === 'ERROR';
  const isComplete = asset.status === 'COMPLETE';
  const error = isFailed
    ? `The source data has no coordinate reference system: ${filesOf(asset)} and 214 more files`
    : null;
  const progressMessage = asset.status === 'IN_PROGRESS' ? 'Creating tiles of level 14 of 18' : null;
  const attribution = isComplete ? '© Vermessungsamt Kreis Ost, dl-de/by-2-0' : '';
  const description = asset.type === 'IMAGERY' ? pictures : heights;
  const { madeHere: _, ...record } = asset;
  const allDetails = {
    ...record,
    ...{ description: isComplete ? description : '', attribution },
    ...(error ? { error } : {}),
    ...(progressMessage ? { progressMessage } : {}),
    ...{ userId: 40711, labels: ['district'], archivable: true, exportable: false },
    ...{ isPremium: false, extent: { west: 11.94, south: 51.36, east: 12.31, north: 51.62 } },
  };
  return {
    asset,
    ...{ description: allDetails.description, attribution, error, progressMessage },
    fields: Object.entries(allDetails).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    moreFields: isFailed ? 12 : 0,
  };
}

function filesOf({ type }: AssetView): string {
  return type === '3DTILES' ? 'block_6_001.laz, block_6_002.laz' : 'dgm1_33412_5660.tif, dgm1_33413_5660.tif';
}

/** This computer's facts about an asset: one was uploaded by a watched folder, others by a person. */
export function hereOf(asset: AssetView, isTold: boolean): AssetHereView {
  if (!asset.madeHere) return { uploads: [], isTold };
  const createdAt = Date.parse(asset.dateAdded) - 60_000;
  const isWhole = asset.status !== 'AWAITING_FILES';
  const upload = {
    ...{ jobId: null, paths: [`/srv/lieferungen/${asset.name}`], morePaths: 0, isThere: isWhole },
    ...{ rule: asset.type === 'IMAGERY' ? 'Orthophotos' : null, createdAt },
    ...{ uploadedAt: isWhole ? createdAt + 1_500_000 : null, files: 412, bytes: 9_412_331_008 },
  };
  return { uploads: [upload], isTold };
}
