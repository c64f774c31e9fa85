import { writeWhole } from '../atomic-file.ts';
import { TileliftError } from '../errors.ts';

/** The heartbeat file for monitoring systems. */
export interface Heartbeat {
  readonly app: 'tilelift';
  readonly version: string;
  readonly computer: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly everyMinutes: number;
  readonly signedIn: boolean;
  /** Totals over all watched folders. */
  readonly counts: {
    readonly folders: number;
    readonly foldersAway: number;
    readonly settling: number;
    readonly waiting: number;
    readonly underWay: number;
    readonly complete: number;
    readonly failed: number;
  };
  readonly alertsWaiting: number;
}

/**
 * Replaces the file atomically and doesn't follow links.
 * @throws TileliftError `heartbeat-unwritable`
 */
export async function writeHeartbeat(path: string, heartbeat: Heartbeat): Promise<void> {
  try {
    await writeWhole(path, `${JSON.stringify(heartbeat, null, 2)}\n`, { mode: 0o644 });
  } catch (cause) {
    throw new TileliftError('heartbeat-unwritable', { subject: path, cause });
  }
}
