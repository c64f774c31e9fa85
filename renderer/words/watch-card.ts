/** What the card of a watched folder says. */

import type { WatchedFolderView, WatchRuleView } from '../../preload/contract.ts';
import { formatCount, formatCounted } from '../../strings/format/number.ts';
import { formatWhen } from '../../strings/format/time.ts';
import { kindLabel } from './kinds.ts';
import type { Tone } from './tone.ts';

export interface WatchStateWords {
  readonly word: string;
  readonly tone: Tone;
  readonly detail: string;
}

export interface CountWords {
  readonly text: string;
  readonly tone: Tone;
}

/** `Each folder or file → photogrammetry`. */
export function makesWords({ unit, sourceType }: Pick<WatchRuleView, 'unit' | 'sourceType'>): string {
  const kind = kindLabel(sourceType);
  // Proper names and free source types keep their capitals.
  const plain = /^[A-Z][a-z/ ]*$/.test(kind) ? kind.toLowerCase() : kind;
  return `${unitWords(unit)} → ${plain}`;
}

function unitWords(unit: WatchRuleView['unit']): string {
  switch (unit.kind) {
    case 'entries':
      return 'Each folder or file';
    case 'files':
      return `Each ${patternWords(unit.patterns)}`;
    case 'trigger':
      return 'Whole folder';
  }
}

/** `.las or .laz file`; patterns that are more than an ending stay as they are. */
function patternWords(patterns: readonly string[]): string {
  const [first = '*'] = patterns;
  if (!patterns.every((pattern) => /^\*\.[\w.-]+$/.test(pattern))) {
    return patterns.length === 1 ? `file like ${first}` : `file like ${first}…`;
  }
  const endings = patterns.map((pattern) => pattern.slice(1));
  if (endings.length === 1) return `${endings[0]} file`;
  return `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)} file`;
}

/** What becomes of sources, in pieces; those to stand out are marked. */
export function afterWords({
  afterSuccess,
  afterFailure,
}: Pick<WatchRuleView, 'afterSuccess' | 'afterFailure'>): readonly {
  readonly text: string;
  readonly strong: boolean;
}[] {
  const plain = (text: string) => ({ text, strong: false });
  const strong = (text: string) => ({ text, strong: true });
  if (afterSuccess.kind === 'leave' && afterFailure.kind === 'leave') return [plain('left in place')];
  const success =
    afterSuccess.kind === 'move'
      ? [plain('then moved to '), strong(afterSuccess.folder)]
      : [plain('left in place')];
  return afterFailure.kind === 'move'
    ? [...success, plain(', failed ones to '), strong(afterFailure.folder)]
    : success;
}

/** `signedIn`: the rule's account is. `now`: ms since the epoch. */
export function describeWatch(
  { rule, state, notice, lastTakenAt }: WatchedFolderView,
  signedIn: boolean,
  now: number,
): WatchStateWords {
  const taken = lastTakenAt === null ? 'nothing taken yet' : `last taken ${formatWhen(lastTakenAt, now)}`;
  if (state === 'paused') return { word: 'Paused', tone: 'neutral', detail: taken };
  if (state === 'suspended') return suspendedWords(notice?.code);
  if (!signedIn) return { word: 'Waits for sign-in', tone: 'waiting', detail: 'its account is signed out' };
  if (state === 'looking') return { word: 'Looking…', tone: 'accent', detail: taken };
  const word = rule.unit.kind === 'trigger' ? `Waiting for ${rule.unit.file}` : 'Watching';
  return { word, tone: 'complete', detail: taken };
}

function suspendedWords(code: string | undefined): WatchStateWords {
  switch (code) {
    case undefined:
    case 'watch-folder-missing':
      return { word: 'Drive not connected', tone: 'waiting', detail: 'resumes when it is back' };
    case 'watch-folder-unreadable':
      return { word: 'Folder can’t be read', tone: 'waiting', detail: 'resumes when it can' };
    default:
      return { word: 'Suspended', tone: 'waiting', detail: 'resumes by itself' };
  }
}

/** A notice that the state's own words have said already stands nowhere else. */
export function isSaidByState({ state, notice }: WatchedFolderView): boolean {
  return state === 'suspended' && notice?.code === 'watch-folder-missing';
}

/** What there is to tell in numbers: `1 settling`, `2 failed`, `214 done`. */
export function countWords({ counts }: Pick<WatchedFolderView, 'counts'>): readonly CountWords[] {
  const all: readonly { count: number; word: string; tone: Tone }[] = [
    { count: counts.settling, word: 'settling', tone: 'waiting' },
    { count: counts.waiting, word: 'waiting', tone: 'waiting' },
    { count: counts.underWay, word: 'under way', tone: 'accent' },
    { count: counts.failed, word: 'failed', tone: 'error' },
    { count: counts.complete, word: 'done', tone: 'neutral' },
  ];
  return all
    .filter(({ count }) => count > 0)
    .map(({ count, word, tone }) => ({
      text: `${formatCount(count)}\u00a0${word.replace(' ', '\u00a0')}`,
      tone,
    }));
}

const kindTones: Readonly<Record<string, Tone>> = {
  POINT_CLOUD: 'tiling',
  RASTER_IMAGERY: 'complete',
  RASTER_TERRAIN: 'waiting',
  TERRAIN_DATABASE: 'waiting',
};

/** The colour of a kind's icon, quiet while the rule rests. */
export function watchTone({ rule, state }: WatchedFolderView): Tone {
  return state === 'paused' ? 'neutral' : (kindTones[rule.sourceType] ?? 'accent');
}

/** `4 folders · 3 under way · 1 failed`; empty without folders. */
export function summarizeWatch(folders: readonly WatchedFolderView[]): string {
  if (folders.length === 0) return '';
  const sum = (key: keyof WatchedFolderView['counts']) =>
    folders.reduce((total, { counts }) => total + counts[key], 0);
  const parts = [formatCounted(folders.length, 'folder')];
  if (sum('underWay') > 0) parts.push(`${formatCount(sum('underWay'))} under way`);
  if (sum('waiting') > 0) parts.push(`${formatCount(sum('waiting'))} waiting`);
  if (sum('failed') > 0) parts.push(`${formatCount(sum('failed'))} failed`);
  return parts.join(' · ');
}

/** For those who listen rather than look: what came to an end or to a stop. Empty when nothing did. */
export function announceWatch(
  before: readonly WatchedFolderView[],
  after: readonly WatchedFolderView[],
): string {
  return after
    .flatMap((view) =>
      changeWords(
        before.find(({ rule }) => rule.id === view.rule.id),
        view,
      ),
    )
    .join(' ');
}

function changeWords(before: WatchedFolderView | undefined, after: WatchedFolderView): readonly string[] {
  if (!before) return [];
  const parts: string[] = [];
  const more = (key: 'complete' | 'failed') => after.counts[key] - before.counts[key];
  if (more('complete') > 0) parts.push(`${formatCounted(more('complete'), 'source')} complete`);
  if (more('failed') > 0) parts.push(`${formatCounted(more('failed'), 'source')} failed`);
  const isOff = ({ state }: WatchedFolderView) => state === 'suspended';
  if (isOff(after) !== isOff(before)) {
    parts.push(isOff(after) ? suspendedWords(after.notice?.code).word : 'Watching again');
  }
  return parts.length === 0 ? [] : [`${after.rule.name}: ${parts.join(', ')}.`];
}
