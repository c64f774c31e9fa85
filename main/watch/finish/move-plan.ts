import { lstat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { hasCode } from '../../errno.ts';
import { isFile } from '../../files/held-folder.ts';
import { markerOf, markerPaths, nameToken } from '../model/left-out.ts';
import type { FoundSource } from '../model/model.ts';
import { targetFields, type WatchRule } from '../model/rule.ts';

/** Plans the move of a finished source. Reads the disk, changes nothing. */

const maxOfOneName = 10_000;

interface Move {
  readonly sourcePath: string;
  readonly targetPath: string;
}

interface MovePlan {
  readonly moves: readonly Move[];
  /** To show to the user. */
  readonly movedTo: string;
}

export interface MoveOptions {
  readonly rule: Pick<WatchRule, 'folder' | 'unit' | 'readyWhen' | 'afterSuccess' | 'afterFailure'>;
  /** Absolute. */
  readonly target: string;
  /** For names with a date, ms since the epoch. */
  readonly timestamp: number;
  /** Absolute paths that other sources also need. They stay, as do the folders around them. */
  readonly shared: ReadonlySet<string>;
}

/** Returns null if other sources need all of its files. */
export async function planMove(source: FoundSource, options: MoveOptions): Promise<MovePlan | null> {
  const plan = await planEntries(source, options);
  if (!plan) return null;
  // First, so that the marker can't make the next source of this name ready.
  const moves = [...(await markerMoves(source, options, plan.movedTo)), ...plan.moves];
  return { ...plan, moves };
}

async function markerMoves(
  source: FoundSource,
  { rule }: MoveOptions,
  movedTo: string,
): Promise<readonly Move[]> {
  const isWhole = rule.unit.kind === 'whole-folder';
  if (!isWhole && !markerOf(rule)?.includes(nameToken)) return [];
  const into = isWhole ? movedTo : dirname(movedTo);
  const moves: Move[] = [];
  for (const markerPath of markerPaths(rule, source)) {
    if (await isFile(markerPath))
      moves.push({
        sourcePath: markerPath,
        targetPath: await freePath(join(into, basename(markerPath)), false),
      });
  }
  return moves;
}

async function planEntries(source: FoundSource, options: MoveOptions): Promise<MovePlan | null> {
  const { rule, target, timestamp, shared } = options;
  const day = new Date(timestamp).toLocaleDateString('sv-SE');
  const dated = join(target, `${basename(rule.folder)} ${day}`);
  if (rule.unit.kind === 'whole-folder') {
    const movedTo = await freePath(dated, true);
    const moves = ownEntries(source, options).map(
      (name): Move => ({ sourcePath: join(rule.folder, name), targetPath: join(movedTo, name) }),
    );
    return moves.length === 0 ? null : { moves, movedTo };
  }
  if (rule.unit.kind === 'batch') return planTogether(source.paths, source.keysFrom, target, dated);
  const paths = source.paths.filter((path) => !holdsAny(path, shared));
  const [firstPath] = paths;
  if (firstPath === undefined) return null;
  if (paths.length === 1) {
    const isFolder = (await lstat(firstPath)).isDirectory();
    // Folders may share a name, so keep the relative path.
    const relativePath =
      rule.unit.kind === 'folders' ? relative(rule.folder, firstPath) : basename(firstPath);
    const movedTo = await freePath(join(target, relativePath), isFolder);
    return { moves: [{ sourcePath: firstPath, targetPath: movedTo }], movedTo };
  }
  const primaryName = basename(source.path);
  const ownFolder = join(target, basename(primaryName, extname(primaryName)));
  const plan = await planTogether(paths, source.keysFrom, target, ownFolder);
  if (plan?.movedTo !== target) return plan;
  const primary = plan.moves.find(({ sourcePath }) => basename(sourcePath) === primaryName) ?? plan.moves[0];
  return { ...plan, movedTo: primary?.targetPath ?? target };
}

/**
 * Keeps the relative paths, because the files may reference each other. If one is taken, all files move into
 * a new folder.
 */
async function planTogether(
  paths: readonly string[],
  keysFrom: string,
  target: string,
  newFolder: string,
): Promise<MovePlan | null> {
  if (paths.length === 0) return null;
  const into = (movedTo: string): MovePlan => ({
    moves: paths.map((path) => ({ sourcePath: path, targetPath: join(movedTo, relative(keysFrom, path)) })),
    movedTo,
  });
  for (const { targetPath } of into(target).moves)
    if (await isTaken(targetPath)) return into(await freePath(newFolder, true));
  return into(target);
}

function ownEntries(source: FoundSource, { rule, target }: MoveOptions): readonly string[] {
  const targetFolders = targetFields(rule).map(({ place }) => place);
  const names = new Set(
    source.files.map(({ path }) => relative(rule.folder, path).split(sep)[0] ?? '').filter(Boolean),
  );
  return [...names].filter((name) => !holdsAny(join(rule.folder, name), new Set([target, ...targetFolders])));
}

function holdsAny(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true;
  for (const otherPath of paths) if (otherPath.startsWith(path + sep)) return true;
  return false;
}

/** Numbers a taken path: `scan (2).tif`. */
async function freePath(place: string, isFolder: boolean): Promise<string> {
  const extension = isFolder ? '' : extname(place);
  const stem = join(dirname(place), basename(place, extension));
  let free = place;
  for (let count = 2; await isTaken(free); count++) {
    if (count > maxOfOneName) throw new Error(`${place} is there too often`);
    free = `${stem} (${count})${extension}`;
  }
  return free;
}

async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
