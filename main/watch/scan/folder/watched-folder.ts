import { join } from 'node:path';
import { type ErrorRecord, TileliftError, toErrorRecord } from '../../../errors.ts';
import { isOnNetwork } from '../../../files/drive.ts';
import { type FolderEvents, listenToFolder } from '../../../files/folder-events.ts';
import { FolderPresence, type Presence } from '../../../files/folder-presence.ts';
import type { Clock } from '../../../ports.ts';
import { createLeftOut, isMarker } from '../../model/left-out.ts';
import type { PerDrive, WatchRule, WatchTiming } from '../../model/rule.ts';
import type { ScanQueue } from '../../model/scheduling.ts';

interface WatchedFolderOptions {
  readonly rule: WatchRule;
  readonly timing: WatchTiming;
  readonly clock: Clock;
  readonly refuseFolder: (folder: string) => Promise<TileliftError | null>;
  readonly scanQueue: ScanQueue;
  readonly onHint: (path: string) => void;
  readonly onTrouble: () => void;
}

/** Maximum wait for the watchers before the first scan, ms. */
const readyPatienceMs = 2_000;

/** A folder whose drive may disappear and return, and its events. */
export class WatchedFolder {
  readonly #options: WatchedFolderOptions;
  readonly #presence: FolderPresence;
  #events: FolderEvents | null = null;
  #drive: keyof PerDrive = 'local';
  #away: ErrorRecord;
  #trouble: ErrorRecord | null = null;

  constructor(options: WatchedFolderOptions) {
    this.#options = options;
    this.#away = awayError(options.rule, 'away');
    this.#presence = new FolderPresence(options.rule.folder, options.rule.mountMarker);
  }

  get away(): ErrorRecord {
    return this.#away;
  }

  /** The system doesn't report all changes. */
  get trouble(): ErrorRecord | null {
    return this.#trouble;
  }

  get drive(): keyof PerDrive {
    return this.#drive;
  }

  /** `back`: it was away or replaced, so cached facts may be wrong. An error: it may not be watched. */
  async check(): Promise<'there' | 'back' | 'away' | TileliftError> {
    const { rule, timing, refuseFolder } = this.#options;
    const presence = await this.#presence.check(timing.presenceMs * 4);
    if (presence !== 'there') await this.dispose();
    if (presence === 'away' || presence === 'no-marker') {
      this.#away = awayError(rule, presence);
      return 'away';
    }
    if (this.#events) return 'there';
    // A redirected link leads here, because it replaces the folder.
    const refusal = await refuseFolder(rule.folder);
    if (refusal) return refusal;
    await this.#startWatching();
    return 'back';
  }

  async dispose(): Promise<void> {
    const events = this.#events;
    this.#events = null;
    await events?.dispose();
  }

  async #startWatching(): Promise<void> {
    const { rule, scanQueue } = this.#options;
    this.#drive = (await isOnNetwork(rule.folder)) ? 'network' : 'local';
    // Starting to watch reads every entry; several folders at once would need much memory.
    await (this.#drive === 'local' ? scanQueue.run(() => this.#listen()) : this.#listen());
  }

  async #listen(): Promise<void> {
    const { rule, timing, clock, onHint, onTrouble } = this.#options;
    this.#trouble = null;
    const events = listenToFolder(rule.folder, {
      isLeftOut: isOfNoInterest(rule),
      polling: this.#drive === 'network',
      intervalMs: timing.pollMs,
      onHint,
      onTrouble: (error) => {
        this.#trouble = toErrorRecord(error);
        onTrouble();
      },
    });
    this.#events = events;
    // Earlier changes cause no event, so the scan waits or is repeated.
    let isReady = false;
    const patience = new AbortController();
    await Promise.race([
      events.ready.then(() => {
        isReady = true;
      }),
      clock.sleep(readyPatienceMs, patience.signal).catch(() => {}),
    ]);
    patience.abort();
    if (!isReady) void events.ready.then(() => this.#events === events && onHint(rule.folder));
  }
}

/** Markers aren't sent, but their changes matter most. */
function isOfNoInterest(rule: WatchRule): (path: string, isFolder: boolean) => boolean {
  const isLeftOut = createLeftOut(rule);
  return (path, isFolder) => (isFolder || !isMarker(rule, path)) && isLeftOut(path, isFolder);
}

function awayError({ folder, mountMarker }: WatchRule, presence: Presence): ErrorRecord {
  const error =
    presence === 'no-marker' && mountMarker !== null
      ? new TileliftError('watch-marker-missing', { subject: join(folder, mountMarker) })
      : new TileliftError('watch-folder-missing', { subject: folder });
  return toErrorRecord(error);
}
