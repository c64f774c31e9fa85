import type { JobView, SourceSnapshot } from '../../../preload/contract.ts';
import type { Key } from '../../../strings/say.ts';
import { errorMessage, formatBytes, formatFacts, formatWhen, say, sayAll } from '../../say.ts';
import { describeProgress, describeState } from '../../words/job-row.ts';
import { baseName } from '../../words/source.ts';
import type { Tone } from '../../words/tone.ts';

type SourceSection = 'held' | 'now' | 'failed' | 'done' | 'left' | 'alone';

const sectionTitles: Readonly<Record<SourceSection, Key>> = {
  held: 'watchSource.section.held',
  now: 'watchSource.section.now',
  failed: 'watchSource.section.failed',
  done: 'watchSource.section.done',
  left: 'watchSource.section.left',
  alone: 'watchSource.section.alone',
};

export function sectionTitle(section: SourceSection): string {
  return say(sectionTitles[section]);
}

const sectionOf: Readonly<Record<SourceSnapshot['state'], SourceSection>> = {
  settling: 'now',
  waiting: 'now',
  'under-way': 'now',
  held: 'held',
  failed: 'failed',
  complete: 'done',
  skipped: 'left',
  'left-alone': 'alone',
};

/** Active sources come first, then waiting, then settling ones. */
const nowOrder: readonly SourceSnapshot['state'][] = ['under-way', 'waiting', 'settling'];

/** Non-empty sections by urgency; newest sources first. */
export function sectionsOf(
  sources: readonly SourceSnapshot[],
): readonly { readonly section: SourceSection; readonly sources: readonly SourceSnapshot[] }[] {
  return (['held', 'now', 'failed', 'done', 'left', 'alone'] as const)
    .map((section) => ({
      section,
      sources: sources
        .filter(({ state }) => sectionOf[state] === section)
        .toSorted((a, b) => nowOrder.indexOf(a.state) - nowOrder.indexOf(b.state) || b.at - a.at),
    }))
    .filter(({ sources }) => sources.length > 0);
}

interface ReasonGroup {
  readonly key: string;
  /** Any of the sources, if all have its reason; else null. */
  readonly common: SourceSnapshot | null;
  readonly sources: readonly SourceSnapshot[];
}

/** Whether a row explains why the source was held or failed. */
export const hasReason = ({ state }: SourceSnapshot): boolean => state === 'held' || state === 'failed';

/** Several sources with the same reason together, then the others in their order. */
export function byReason(sources: readonly SourceSnapshot[]): readonly ReasonGroup[] {
  const groups = Map.groupBy(sources, (source) =>
    hasReason(source) ? JSON.stringify([source.why, source.error?.code, source.error?.remote?.message]) : '',
  );
  const sharedGroups = [...groups].flatMap(([key, group]): readonly ReasonGroup[] =>
    key === '' || group.length < 2 ? [] : [{ key, common: group[0] ?? null, sources: group }],
  );
  const grouped = new Set(sharedGroups.flatMap((group) => group.sources));
  const ungrouped = sources.filter((source) => !grouped.has(source));
  return ungrouped.length === 0
    ? sharedGroups
    : [...sharedGroups, { key: '', common: null, sources: ungrouped }];
}

interface SourceWords {
  readonly name: string;
  readonly detail: string;
  readonly word: string;
  readonly tone: Tone;
  readonly fraction: number | null;
  readonly reached?: number | undefined;
}

/** `job`: the source's, if it is in the list. */
export function describeWatchSource(
  source: SourceSnapshot,
  folder: string,
  job: JobView | undefined,
  nowMs: number,
): SourceWords {
  const words = wordsOf(source, folder, job, nowMs);
  if (!source.links) return words;
  return { ...words, detail: formatFacts([words.detail, say('watchSource.links', { count: source.links })]) };
}

function wordsOf(
  source: SourceSnapshot,
  folder: string,
  job: JobView | undefined,
  nowMs: number,
): SourceWords {
  const name = sourceName(source, folder, nowMs);
  const bytes = formatBytes(source.bytes);
  // A batch's name includes its number of files.
  const size = isDelivery(source.path)
    ? bytes
    : formatFacts([say('units.files', { count: source.files }), bytes]);
  const words = { name, fraction: null };
  const why = sayAll(source.why);
  switch (source.state) {
    case 'settling':
      return {
        ...words,
        word: say('watchSource.state.waiting'),
        tone: 'waiting',
        detail: formatFacts([why, size]),
      };
    case 'waiting':
      return { ...words, word: say('watchSource.state.waiting'), tone: 'waiting', detail: why };
    case 'under-way':
      if (!job) return { ...words, word: say('watchSource.state.underWay'), tone: 'accent', detail: why };
      return { ...words, ...underWayWords(job, nowMs), detail: job.error ? errorMessage(job.error) : size };
    case 'complete':
      return {
        ...words,
        word: say('watchSource.state.complete'),
        tone: 'complete',
        detail: doneDetail(source, size),
      };
    case 'held':
      return { ...words, word: say('watchSource.state.held'), tone: 'waiting', detail: size };
    case 'failed':
      return { ...words, word: say('watchSource.state.failed'), tone: 'error', detail: size };
    case 'skipped':
      return { ...words, word: say('watchSource.state.skipped'), tone: 'neutral', detail: size };
    case 'left-alone':
      return { ...words, word: say('watchSource.state.leftAlone'), tone: 'neutral', detail: why };
  }
}

/** Main's name for a batch. */
const isDelivery = (path: string): boolean => path.startsWith('./');

/** A batch is named by its number of files and time. */
function sourceName(
  { path, files, takenAt, at: changedAt }: Pick<SourceSnapshot, 'path' | 'files' | 'takenAt' | 'at'>,
  folder: string,
  nowMs: number,
): string {
  if (isDelivery(path))
    return say('watchSource.delivery', { count: files, when: formatWhen(takenAt ?? changedAt, nowMs) });
  return path === '.' ? baseName(folder) : path;
}

/** Path below the asset's name; empty if it adds nothing. */
export function dryRunPath({ path, name }: { path: string; name: string }, folder: string): string {
  const ownPath = path === '.' ? folder : path;
  return isDelivery(path) || ownPath === name ? '' : ownPath;
}

function underWayWords(
  job: JobView,
  nowMs: number,
): Pick<SourceWords, 'word' | 'tone' | 'fraction' | 'reached'> {
  const { word, tone } = describeState(job, nowMs);
  const hasBar = job.status === 'tiling' || job.status === 'uploading' || job.status === 'paused';
  const { fraction, reached: progressText } = hasBar
    ? describeProgress(job, nowMs)
    : { fraction: null, reached: 0 };
  return { word, tone, fraction, reached: progressText };
}

function doneDetail({ movedTo }: SourceSnapshot, size: string): string {
  return formatFacts([size, movedTo === undefined ? null : say('watchSource.movedTo', { place: movedTo })]);
}
