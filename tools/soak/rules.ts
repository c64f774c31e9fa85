import { join } from 'node:path';
import type { WatchRule } from '../../main/watch/model/rule.ts';
import { aWatchRule } from '../../test/a-watch-rule.ts';

/** Watched folders, by content; each has a rule of the same name. */
const folderNames = [
  /** Each entry is a source of any kind and stays in the folder. */
  'landings',
  /** Each `.xyz` file is a source and moves to `done`. */
  'scans',
  /** Each `.tif` file is a source; a change makes a new asset. */
  'tiles',
  /** Each entry is a source: archives in parts. */
  'archives',
  /** Each folder of a day with `_SUCCESS` in it: `2024/11/21/flight/`. */
  'flights',
  /** Each `.tif` file with its `.tif.ok`. */
  'marked',
  /** Each folder with its `.ready` next to it. */
  'ready',
  /** Each folder with a checksum list in it or next to it. */
  'checked',
  /** Each entry is a source; another computer with the same settings watches it too. */
  'shared',
] as const;

type FolderName = (typeof folderNames)[number];
export type SoakFolders = Readonly<Record<FolderName, string>>;

export const foldersIn = (stick: string): SoakFolders =>
  Object.fromEntries(folderNames.map((name) => [name, join(stick, name)])) as Record<FolderName, string>;

const imagery = { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' } as const;
const byContent = { kindFrom: 'content' } as const;

const ruleSettings: Readonly<Record<FolderName, Partial<WatchRule>>> = {
  landings: { ...byContent, name: 'Drone landings' },
  scans: {
    name: 'Scanner export',
    unit: { kind: 'files', patterns: ['*.xyz'] },
    sourceType: 'POINT_CLOUD',
    afterSuccess: { kind: 'move', folder: 'done' },
  },
  tiles: { ...imagery, name: 'Hourly tiles', unit: { kind: 'files', patterns: ['*.tif'] } },
  archives: { name: 'Archives from the office' },
  flights: {
    ...byContent,
    name: 'Flights by day',
    unit: { kind: 'folders', depth: 4, patterns: ['20*/*/*/*'] },
    readyWhen: { kind: 'marker', name: '_SUCCESS' },
  },
  marked: {
    ...imagery,
    name: 'Orthophotos with their markers',
    unit: { kind: 'files', patterns: ['*.tif'] },
    readyWhen: { kind: 'marker', name: '{name}.ok' },
  },
  ready: {
    ...byContent,
    name: 'Folders that are ready',
    readyWhen: { kind: 'marker', name: '{name}.ready' },
  },
  checked: {
    ...byContent,
    name: 'Deliveries with checksums',
    unit: { kind: 'folders', depth: 1, patterns: [] },
    readyWhen: { kind: 'checksums' },
  },
  shared: { ...byContent, name: 'Everybody’s folder', shared: true },
};

/** Rules for an unattended computer and the signed-in account. */
export function rulesFor(folders: SoakFolders, names: readonly FolderName[] = folderNames): WatchRule[] {
  return names.map((name) =>
    aWatchRule({
      whenTooLong: 'upload',
      whenExpired: 'start-again',
      // The written bytes are random: an inspection would hold them all.
      hold: 'never',
      ...ruleSettings[name],
      id: name,
      folder: folders[name],
    }),
  );
}
