import { hasTilingFailed, isContractStatus } from '../../../shared/assets.ts';
import { TileliftError } from '../../errors.ts';
import type { Clock } from '../../outside.ts';
import type { Asset, CreationBody } from '../../service/model.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import { pollUntilEnded } from '../../tiling/poller.ts';
import type { TilingReads } from '../../tiling/tiling-reads.ts';
import type { LiveJob } from '../steps/live-job.ts';

interface TerrainWaitsOptions {
  readonly clock: Clock;
  /** How often the status of a terrain is asked for, ms. */
  readonly pollMs: number;
  readonly reads: TilingReads;
}

/** The terrain that an asset is clamped to (contract 2.2); null for none, or the WGS84 ellipsoid. */
function baseTerrainOf({ options }: Pick<CreationBody, 'options'>): number | null {
  const { clampToTerrain, baseTerrainId } = options;
  return clampToTerrain === true && typeof baseTerrainId === 'number' ? baseTerrainId : null;
}

/**
 * Jobs whose base terrain is not tiled yet: an asset is created only once its ground is there. They keep
 * their place in the queue, hold no turn, and need no entry in the journal, since the terrain is in what they
 * create.
 */
export class TerrainWaits {
  readonly #with: TerrainWaitsOptions;
  /** Jobs whose terrain was seen complete since the start of the program. */
  readonly #ready = new Set<string>();

  constructor(options: TerrainWaitsOptions) {
    this.#with = options;
  }

  /** Whether the terrain of a job that has not begun is still to be asked for. */
  mustAsk(job: LiveJob): boolean {
    return job.state.kind === 'queued' && baseTerrainOf(job.record.body) !== null && !this.#ready.has(job.id);
  }

  /**
   * Until the terrain is COMPLETE.
   * @throws TileliftError `terrain-failed`, `terrain-missing`, and what polling throws; the signal's reason
   */
  async wait(job: LiveJob, signal: AbortSignal): Promise<void> {
    const id = baseTerrainOf(job.record.body);
    if (id === null) return;
    const { clock, pollMs, reads } = this.#with;
    const followed = reads.follow(job.record.accountId, id);
    const unchanged = { status: '', since: 0 };
    const show = (terrain: Asset) => {
      const { status } = terrain;
      const now = clock.now();
      if (status !== unchanged.status) Object.assign(unchanged, { status, since: now });
      const isOverdue = !isContractStatus(status) && now - unchanged.since >= waitLimits.unknownStatus;
      job.showTerrain(status === 'COMPLETE' ? null : terrain, isOverdue ? statusUnknown(terrain) : null);
    };
    try {
      const terrain = await pollUntilEnded({
        read: followed.read,
        onStatus: show,
        onTrouble: (error) => job.meet(error),
        ...{ clock, signal, intervalMs: pollMs },
      });
      if (hasTilingFailed(terrain.status)) throw terrainFailed(terrain);
      this.#ready.add(job.id);
    } catch (thrown) {
      if (thrown instanceof TileliftError && thrown.code === 'asset-not-found')
        throw new TileliftError('terrain-missing', { subject: String(id), cause: thrown });
      throw thrown;
    } finally {
      followed.end();
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
