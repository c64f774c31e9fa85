import type { AssetView, JobView } from '../../../preload/contract.ts';
import { hasTilingFailed } from '../../../shared/assets.ts';
import { hasEnded } from '../../../shared/job-status.ts';
import { formatPercent, say } from '../../say.ts';

/** A terrain that buildings can be clamped to, now or once it is tiled. */
export interface OfferedTerrain {
  readonly value: string;
  readonly label: string;
  /** How far its tiling is; absent once it is complete. */
  readonly detail?: string;
}

/**
 * The terrains among an account's assets. One whose tiling failed is no ground, nor is one that waits for
 * files that nobody here is sending.
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
      ...(terrain.status === 'COMPLETE' ? {} : { detail: underWay(terrain) }),
    }));
}

function underWay({ status, percentComplete }: AssetView): string {
  if (status === 'AWAITING_FILES') return say('options.clamp.uploading');
  return say('options.clamp.tiling', { percent: formatPercent(percentComplete / 100) });
}

/** An asset id as typed; null where it is none. */
export function terrainIdFrom(typed: string): number | null {
  const text = typed.trim();
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return id > 0 ? id : null;
}
