import { hasTilingFailed, isContractStatus } from '../../../shared/assets.ts';
import { TileliftError } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import type { Asset, CreationBody } from '../../service/model.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import { pollUntilEnded } from '../../tiling/poller.ts';
import type { TilingReads } from '../../tiling/tiling-reads.ts';
import type { LiveJob } from '../steps/live-job.ts';

interface TerrainWaitsOptions {
  readonly clock: Clock;
  /** Polling interval, ms. */
  readonly pollMs: number;
  readonly reads: TilingReads;
}

/** Contract 2.2; null without a terrain and for the WGS84 ellipsoid. */
function baseTerrainOf({ options }: Pick<CreationBody, 'options'>): number | null {
  return typeof options.baseTerrainId === 'number' ? options.baseTerrainId : null;
}

/** Assets need a tiled base terrain. Waiting jobs keep their place without a turn and aren't recorded. */
export class TerrainWaits {
  readonly #deps: TerrainWaitsOptions;
  readonly #readyTerrains = new Set<string>();

  constructor(options: TerrainWaitsOptions) {
    this.#deps = options;
  }

  mustAsk(job: LiveJob): boolean {
    return (
      job.state.kind === 'queued' &&
      baseTerrainOf(job.record.body) !== null &&
      !this.#readyTerrains.has(job.id)
    );
  }

  /** @throws TileliftError `terrain-failed`, `terrain-missing`, and errors of polling; the signal's reason */
  async wait(job: LiveJob, signal: AbortSignal): Promise<void> {
    const id = baseTerrainOf(job.record.body);
    if (id === null) return;
    const { clock, pollMs, reads } = this.#deps;
    const followedAsset = reads.follow(job.record.accountId, id);
    const unchangedStatus = { status: '', since: 0 };
    const show = (terrain: Asset) => {
      const { status } = terrain;
      const nowMs = clock.now();
      if (status !== unchangedStatus.status) Object.assign(unchangedStatus, { status, since: nowMs });
      const isOverdue =
        !isContractStatus(status) && nowMs - unchangedStatus.since >= waitLimits.unknownStatus;
      job.showTerrain(status === 'COMPLETE' ? null : terrain, isOverdue ? statusUnknown(terrain) : null);
    };
    try {
      const terrain = await pollUntilEnded({
        read: followedAsset.read,
        onStatus: show,
        onTrouble: (error) => job.reportTrouble(error),
        ...{ clock, signal, intervalMs: pollMs },
      });
      if (hasTilingFailed(terrain.status)) throw terrainFailed(terrain);
      this.#readyTerrains.add(job.id);
    } catch (error) {
      if (error instanceof TileliftError && error.code === 'asset-not-found')
        throw new TileliftError('terrain-missing', { subject: String(id), cause: error });
      throw error;
    } finally {
      followedAsset.end();
      job.showTerrain(null);
    }
  }
}

function statusUnknown({ name, id, status }: Asset): TileliftError {
  return new TileliftError('terrain-status-unknown', { subject: `${name} · ${id} · ${status}` });
}

function terrainFailed({ name, id, error }: Asset): TileliftError {
  const subject = `${name} · ${id}`;
  return new TileliftError('terrain-failed', { subject, ...(error ? { remote: { message: error } } : {}) });
}
