import { basename, sep } from 'node:path';
import { pathBelow } from '../../files/paths.ts';
import { sourcePath } from '../../files/whereabouts.ts';
import { isDataWithin, isOtherDelivery, type Verdict, verdictOn } from '../../inspect/data-extensions.ts';
import type { Pause } from '../../work-line.ts';
import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchNumber } from '../model/source-names.ts';

/** Why an entry becomes no asset. */
export type AloneReason = 'no-data' | 'other-kind' | 'nothing-inside' | 'link';

export interface LeftAlone {
  readonly path: string;
  /** Null for a link, which isn't followed. */
  readonly source: FoundSource | null;
  readonly why: AloneReason;
}

const glimpse = 16 * 1024;
/** Files per source; the first data file is enough. */
const maxInspected = 20;

/** Reads at most `length` bytes of a file in the rule's folder; null if unreadable. */
export type ReadBeginning = (path: string, length: number) => Promise<Uint8Array | null>;

interface SortOptions {
  /** True for a source that was uploaded before or that the user requested. */
  readonly isMeant: (path: string) => boolean;
  readonly readBeginning: ReadBeginning;
  readonly pause: Pause;
}

interface SortedOut {
  readonly sources: readonly FoundSource[];
  readonly leftAlone: readonly LeftAlone[];
}

/**
 * Skips top-level entries and files of batches that aren't data; other units name their sources explicitly. A
 * folder with data of another kind stays a source, to be held, unless the rule holds nothing.
 */
export async function sortOut(
  rule: Pick<WatchRule, 'folder' | 'unit' | 'sourceType' | 'kindFrom' | 'hold'>,
  sources: readonly FoundSource[],
  { isMeant, readBeginning, pause }: SortOptions,
): Promise<SortedOut> {
  if (rule.unit.kind !== 'entries' && rule.unit.kind !== 'batch') return { sources, leftAlone: [] };
  const keptSources: FoundSource[] = [];
  const leftAlone: LeftAlone[] = [];
  for (const source of sources) {
    const why = isMeant(source.path)
      ? null
      : await reasonAgainst(
          source,
          { folder: rule.folder, sourceType: kindOf(rule), hold: rule.hold },
          { readBeginning, pause },
        );
    if (why === null) keptSources.push(source);
    else leftAlone.push({ path: source.path, source, why });
    await pause();
  }
  return { sources: keptSources, leftAlone };
}

/** Only data of the rule's kind may claim files: an index of images doesn't exclude the images. */
export const mayClaim =
  (rule: Pick<WatchRule, 'sourceType' | 'kindFrom'>) =>
  (names: readonly string[]): boolean =>
    names.some((name) => ['data', 'inspect'].includes(verdictOn(name, kindOf(rule))));

/** Empty, an unknown kind, if the content of each source decides. */
const kindOf = ({ sourceType, kindFrom }: Pick<WatchRule, 'sourceType' | 'kindFrom'>): string =>
  kindFrom === 'content' ? '' : sourceType;

/** Null for possible data of the rule's kind. A file decides for its sidecars and references. */
async function reasonAgainst(
  { path, paths, files }: FoundSource,
  { folder, sourceType, hold }: Pick<WatchRule, 'folder' | 'sourceType' | 'hold'>,
  { readBeginning, pause }: Omit<SortOptions, 'isMeant'>,
): Promise<AloneReason | null> {
  const whole = paths.find((candidate) => sourcePath(pathBelow(folder, candidate) ?? '') === path) ?? '';
  const ownFiles = files.filter((file) => file.path === whole);
  const isBatch = batchNumber(path) !== null;
  const verdicts = new Set<Verdict>();
  const pathsToInspect: string[] = [];
  for (const file of ownFiles.length > 0 ? ownFiles : files) {
    if (!isBatch && ownFiles.length === 0 && !file.path.startsWith(`${whole}${sep}`)) continue;
    const verdict = verdictOn(basename(file.path), sourceType);
    if (verdict === 'data') return null;
    if (verdict === 'inspect') pathsToInspect.push(file.path);
    verdicts.add(verdict);
    await pause();
  }
  if (await holdsData(pathsToInspect, sourceType, readBeginning)) return null;
  if (ownFiles.length === 0) {
    const keys = files.map(({ key }) => key);
    return hold !== 'never' && isOtherDelivery(keys, sourceType) ? null : 'nothing-inside';
  }
  return verdicts.has('other') ? 'other-kind' : 'no-data';
}

/** Whether any content is of the source type; true if there are too many files to read. */
export async function holdsData(
  paths: readonly string[],
  sourceType: string,
  readBeginning: ReadBeginning,
): Promise<boolean> {
  if (paths.length > maxInspected) return true;
  for (const path of paths) {
    const bytes = Buffer.from((await readBeginning(path, glimpse)) ?? []);
    // Supports UTF-16: half of its bytes are zeros.
    const text = bytes.toString('latin1').replaceAll('\0', '');
    if (isDataWithin(`${text}\n`, sourceType)) return true;
  }
  return false;
}
