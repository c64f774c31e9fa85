import { basename, sep } from 'node:path';
import { pathBelow, toKey } from '../../../files/paths.ts';
import { batchNumber } from '../../batches/batch-path.ts';
import { openInside } from '../../folder/open-inside.ts';
import type { Pause } from '../../pause.ts';
import type { WatchRule } from '../../rule.ts';
import type { SurveyedSource } from '../found-source.ts';
import { isOtherDelivery } from './kind-by-names.ts';
import { isDataWithin, type Verdict, verdictOn } from './kinds-of-data.ts';

/** Why something that is in a watched folder becomes no asset. */
export type AloneReason = 'no-data' | 'other-kind' | 'nothing-inside';

export interface LeftAlone {
  readonly found: SurveyedSource;
  readonly why: AloneReason;
}

/** Bytes of a file whose content tells what it is. */
const glimpse = 16 * 1024;
/** Of one source: the first that is data is enough, and more than these are not looked for. */
const maxLooked = 20;

interface SortedOut {
  readonly sources: readonly SurveyedSource[];
  readonly leftAlone: readonly LeftAlone[];
}

/**
 * What is beside data and is none makes no asset. Only among top-level entries and what arrives together:
 * whoever says by patterns, depth or trigger what is to be an asset means it. A folder of data of another
 * kind is a source still, to be held, unless the rule holds nothing.
 *
 * @param isMeant true for the path of a source that was taken before, or that a person wants anyway
 */
export async function sortOut(
  rule: Pick<WatchRule, 'folder' | 'unit' | 'sourceType' | 'kindFrom' | 'hold'>,
  sources: readonly SurveyedSource[],
  isMeant: (path: string) => boolean,
  pause: Pause,
): Promise<SortedOut> {
  if (rule.unit.kind !== 'entries' && rule.unit.kind !== 'batch') return { sources, leftAlone: [] };
  const kept: SurveyedSource[] = [];
  const leftAlone: LeftAlone[] = [];
  for (const found of sources) {
    const why = isMeant(found.path)
      ? null
      : await reasonAgainst(found, { folder: rule.folder, sourceType: kindOf(rule), hold: rule.hold }, pause);
    if (why === null) kept.push(found);
    else leftAlone.push({ found, why });
    await pause();
  }
  return { sources: kept, leftAlone };
}

/** A file that is no data of the rule's kind leaves nothing out: an index of pictures keeps the pictures. */
export const mayClaim =
  (rule: Pick<WatchRule, 'sourceType' | 'kindFrom'>) =>
  (names: readonly string[]): boolean =>
    names.some((name) => ['data', 'look'].includes(verdictOn(name, kindOf(rule))));

/** Empty, which is no kind that the table knows, where each source's content decides. */
const kindOf = ({ sourceType, kindFrom }: Pick<WatchRule, 'sourceType' | 'kindFrom'>): string =>
  kindFrom === 'content' ? '' : sourceType;

/**
 * Null for what holds data of the rule's kind, or might. A file speaks for its sidecars and for what it
 * names; in a folder, and of what arrived together, every file speaks.
 */
async function reasonAgainst(
  { path, paths, files }: SurveyedSource,
  { folder, sourceType, hold }: Pick<WatchRule, 'folder' | 'sourceType' | 'hold'>,
  pause: Pause,
): Promise<AloneReason | null> {
  const whole = paths.find((one) => toKey(pathBelow(folder, one) ?? '') === path) ?? '';
  const own = files.filter((file) => file.path === whole);
  const isBatch = batchNumber(path) !== null;
  const verdicts = new Set<Verdict>();
  const toLook: string[] = [];
  for (const file of own.length > 0 ? own : files) {
    if (!isBatch && own.length === 0 && !file.path.startsWith(`${whole}${sep}`)) continue;
    const verdict = verdictOn(basename(file.path), sourceType);
    if (verdict === 'data') return null;
    if (verdict === 'look') toLook.push(file.path);
    verdicts.add(verdict);
    await pause();
  }
  if (await holdsData(folder, toLook, sourceType)) return null;
  if (own.length === 0) {
    const keys = files.map(({ key }) => key);
    return hold !== 'never' && isOtherDelivery(keys, sourceType) ? null : 'nothing-inside';
  }
  return verdicts.has('other') ? 'other-kind' : 'no-data';
}

/**
 * Whether the content of any of these files is of the source type, where only that tells; true for more than
 * can be looked at. `folder`: the rule's.
 */
export async function holdsData(
  folder: string,
  places: readonly string[],
  sourceType: string,
): Promise<boolean> {
  // Of more than can be looked at nobody can say that there is none.
  if (places.length > maxLooked) return true;
  for (const place of places) if (isDataWithin(await beginningOf(folder, place), sourceType)) return true;
  return false;
}

/** Empty for what can't be read. */
async function beginningOf(folder: string, path: string): Promise<string> {
  try {
    await using handle = await openInside(folder, path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(glimpse), 0, glimpse, 0);
    // UTF-16 too: half of its bytes are zeros.
    return `${buffer.toString('latin1', 0, bytesRead).replaceAll('\0', '')}\n`;
  } catch {
    return '';
  }
}
