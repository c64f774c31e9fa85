import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { SettingsView } from '../../settings-port.ts';
import type { Ledger } from '../ledger/ledger-model.ts';
import type { WatchService } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { type AfterEnds, type AfterTiming, createAfterEnds } from './after-ends.ts';
import { createAfterJournal } from './after-journal.ts';
import type { Programs } from './program.ts';

export interface AfterSurroundings {
  readonly database: DatabaseSync;
  /** The database's name for people. */
  readonly journalPath: string;
  readonly ledger: Pick<Ledger, 'ofJob'>;
  readonly settings: SettingsView<{
    readonly watchRules: readonly WatchRule[];
    /** By the rule's id. */
    readonly programs: Readonly<Record<string, Programs>>;
  }>;
  readonly watch: Pick<WatchService, 'onEnd' | 'onChange' | 'note'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing?: AfterTiming;
}

/** What follows the ends of sources, over what watching says of them. Begins with the first `kick`. */
export function composeAfterEnds(around: AfterSurroundings): AfterEnds {
  const { settings, watch, ledger, clock, log, timing } = around;
  const after = createAfterEnds({
    journal: createAfterJournal(around.database, around.journalPath),
    ...{ ledger, clock, log },
    rules: () => settings.get().watchRules,
    programsOf: (ruleId) => settings.get().programs[ruleId],
    openFolders: () => settings.get().watchRules.flatMap(openFolders),
    note: watch.note,
    ...(timing ? { timing } : {}),
  });
  watch.onEnd(after.noteEnd);
  watch.onChange(after.kick);
  return after;
}

/** The folders of a rule in which others may put files, absolute. */
export function openFolders({
  folder,
  afterSuccess,
  afterFailure,
  receiptFile,
}: WatchRule): readonly string[] {
  const named = [afterSuccess, afterFailure, receiptFile].flatMap((place) =>
    'folder' in place ? [resolve(folder, place.folder)] : [],
  );
  return [folder, ...named];
}
