import { TileliftError } from '../errors.ts';
import { writeWhole } from '../whole-file.ts';

/** What a monitor reads: that Tilelift lives, and how things stand. */
export interface Heartbeat {
  readonly app: 'tilelift';
  readonly version: string;
  readonly computer: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The next one comes within so many minutes. */
  readonly everyMinutes: number;
  readonly signedIn: boolean;
  /** Sources, of all watched folders together. */
  readonly counts: {
    readonly folders: number;
    readonly foldersAway: number;
    readonly settling: number;
    readonly waiting: number;
    readonly underWay: number;
    readonly complete: number;
    readonly failed: number;
  };
  /** Messages that could not be sent yet. */
  readonly alertsWaiting: number;
}

/**
 * Whole or not at all: a new file takes the place of the old one, so that nobody reads half of it, and a link
 * in its place is replaced rather than followed.
 *
 * @throws TileliftError `heartbeat-unwritable`
 */
export async function writeHeartbeat(path: string, heartbeat: Heartbeat): Promise<void> {
  try {
    await writeWhole(path, `${JSON.stringify(heartbeat, null, 2)}\n`, { mode: 0o644 });
  } catch (cause) {
    throw new TileliftError('heartbeat-unwritable', { subject: path, cause });
  }
}
