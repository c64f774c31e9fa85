import { type ErrorRecord, TileliftError, toErrorRecord } from '../errors.ts';
import { driveOf } from './drive.ts';
import { type FolderWatch, watchFolder } from './folder-watch.ts';
import { createLeftOut } from './left-out.ts';
import { FolderPresence } from './presence.ts';
import type { WatchRule } from './rule.ts';

import type { PerDrive, WatchTiming } from './timing.ts';

export interface WatchedFolderOptions {
  readonly rule: WatchRule;
  readonly timing: WatchTiming;
  /** Something may have changed at this absolute path. */
  readonly onHint: (path: string) => void;
  /** What to know although it works: `watch-limit-reached`. */
  readonly onTrouble: (error: ErrorRecord) => void;
}

/** A folder with its drive, which may go and come back, and the events that it sends while it is there. */
export class WatchedFolder {
  readonly #options: WatchedFolderOptions;
  readonly #presence: FolderPresence;
  #events: FolderWatch | null = null;
  #drive: keyof PerDrive = 'local';

  constructor(options: WatchedFolderOptions) {
    this.#options = options;
    this.#presence = new FolderPresence(options.rule.folder);
  }

  get drive(): keyof PerDrive {
    return this.#drive;
  }

  /** `back`: it was away, or is another one now; whatever is known of it may be wrong. */
  async look(): Promise<'there' | 'back' | 'away'> {
    const { timing } = this.#options;
    const { kind } = await this.#presence.look(timing.presenceMs * 4);
    if (kind !== 'there') await this.close();
    if (kind === 'away') return 'away';
    if (this.#events) return 'there';
    await this.#open();
    return 'back';
  }

  async close(): Promise<void> {
    const events = this.#events;
    this.#events = null;
    await events?.close();
  }

  async #open(): Promise<void> {
    const { rule, timing, onHint, onTrouble } = this.#options;
    this.#drive = (await driveOf(rule.folder)).kind;
    this.#events = await watchFolder(rule.folder, {
      isLeftOut: createLeftOut(rule),
      polling: this.#drive === 'network',
      intervalMs: timing.pollMs,
      onHint,
      onTrouble: (error) => onTrouble(toErrorRecord(error)),
    });
  }
}

/** Why a rule is suspended. */
export function folderAway(folder: string): ErrorRecord {
  return toErrorRecord(new TileliftError('watch-folder-missing', { subject: folder }));
}
