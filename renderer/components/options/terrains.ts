import type { AssetView, JobView } from '../../../preload/contract.ts';
import { hasTilingFailed } from '../../../shared/assets.ts';
import { hasEnded } from '../../../shared/job-status.ts';
import { formatPercent, say } from '../../say.ts';

/** A terrain for clamping, tiled or being tiled. */
export interface OfferedTerrain {
  readonly value: string;
  readonly label: string;
  /** Progress of its tiling; absent once complete. */
  readonly detail?: string;
}

/**
 * Usable terrains of an account: neither failed, nor waiting for files that this computer doesn't send.
 *
 * @param jobs of this computer
 */
export function offeredTerrains(
  assets: readonly AssetView[],
  jobs: readonly Pick<JobView, 'assetId' | 'status'>[],
): readonly OfferedTerrain[] {
  const sending = new Set(jobs.flatMap(({ assetId, status }) => (hasEnded(status) ? [] : [assetId])));
  return assets
    .filter(({ id, type, status }) => {
      if (type !== 'TERRAIN' || hasTilingFailed(status)) return false;
      return status !== 'AWAITING_FILES' || sending.has(id);
    })
    .map((terrain) => ({
      value: String(terrain.id),
      label: `${terrain.name} · ${terrain.id}`,
      ...(terrain.status === 'COMPLETE' ? {} : { detail: terrainStatus(terrain) }),
    }));
}

function terrainStatus({ status, percentComplete }: AssetView): string {
  if (status === 'AWAITING_FILES') return say('options.clamp.uploading');
  return say('options.clamp.tiling', { percent: formatPercent(percentComplete / 100) });
}

/** A typed asset id; null if invalid. */
export function terrainIdFrom(enteredText: string): number | null {
  const text = enteredText.trim();
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return id > 0 ? id : null;
}
