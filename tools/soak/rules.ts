import { join } from 'node:path';
import type { WatchRule } from '../../main/watch/rule.ts';
import { aWatchRule } from '../../test/a-watch-rule.ts';

/** The watched folders of the run, by what comes into them; each has its rule of the same name. */
const folderNames = [
  /** Each entry is a source, of whatever kind it shows to be; it stays where it is. */
  'landings',
  /** Each `.xyz` file is a source; it is moved to `done`. */
  'scans',
  /** Each `.tif` file is a source; what has changed is another asset. */
  'tiles',
  /** Each entry is a source: archives in parts. */
  'archives',
  /** Each folder of a day that has its `_SUCCESS`: `2024/11/21/flight/`. */
  'flights',
  /** Each `.tif` file that has its `.tif.ok`. */
  'marked',
  /** Each folder that has its `.ready` beside it. */
  'ready',
  /** Each folder with a list of checksums, in it or beside it. */
  'checked',
  /** Each entry is a source; a computer with the same settings watches it too. */
  'shared',
] as const;

type FolderName = (typeof folderNames)[number];
export type SoakFolders = Readonly<Record<FolderName, string>>;

export const foldersIn = (stick: string): SoakFolders =>
  Object.fromEntries(folderNames.map((name) => [name, join(stick, name)])) as Record<FolderName, string>;

const imagery = { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' } as const;
const byContent = { kindFrom: 'content' } as const;

const ways: Readonly<Record<FolderName, Partial<WatchRule>>> = {
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

/** Nobody is at the keyboard. Their account is whoever signs in. */
export function rulesFor(folders: SoakFolders, names: readonly FolderName[] = folderNames): WatchRule[] {
  return names.map((name) =>
    aWatchRule({
      whenTooLong: 'upload',
      whenExpired: 'start-again',
      ...ways[name],
      id: name,
      folder: folders[name],
    }),
  );
}
