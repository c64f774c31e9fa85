import type { RuleSnapshot, WatchRule, WatchUnit } from '../../../preload/contract.ts';
import type { Key } from '../../../strings/say.ts';
import { formatFacts, formatNames, formatWhen, perSpeech, say } from '../../say.ts';
import { unbroken } from '../../words/job-row.ts';
import { kindWithin } from '../../words/kinds.ts';
import type { Tone } from '../../words/tone.ts';

interface WatchStateWords {
  readonly word: string;
  readonly tone: Tone;
  readonly detail: string;
}

interface CountWords {
  readonly text: string;
  readonly tone: Tone;
}

const disjunction = perSpeech(({ locale }) => new Intl.ListFormat(locale, { type: 'disjunction' }));

/** `Each folder or file → photogrammetry`. */
export function makesWords({
  unit,
  kindFrom,
  sourceType,
}: Pick<WatchRule, 'unit' | 'sourceType'> & Partial<Pick<WatchRule, 'kindFrom'>>): string {
  const kind = kindFrom === 'content' ? say('watchRule.makes.itsKind') : kindWithin(sourceType);
  switch (unit.kind) {
    case 'entries':
      return say('watchRule.makes.entries', { kind });
    case 'folders':
      return say('watchRule.makes.folders', { path: wayOf(unit), kind });
    case 'files':
      return filesWords(unit.patterns, kind);
    case 'whole-folder':
      return say('watchRule.makes.folder', { kind });
    case 'batch':
      return say('watchRule.makes.batch', { kind });
  }
}

// One star per level, or the first pattern.
function wayOf({ depth, patterns }: Extract<WatchUnit, { kind: 'folders' }>): string {
  return patterns[0] ?? Array.from({ length: depth }, () => '*').join('/');
}

/** `Each .las or .laz file → point cloud`; other patterns stay as they are. */
function filesWords(patterns: readonly string[], kind: string): string {
  const [pattern = '*'] = patterns;
  if (patterns.every((item) => /^\*\.[\w.-]+$/.test(item))) {
    return say('watchRule.makes.files', {
      endings: disjunction().format(patterns.map((item) => item.slice(1))),
      kind,
    });
  }
  return patterns.length === 1
    ? say('watchRule.makes.filesLike', { pattern, kind })
    : say('watchRule.makes.filesLikeMore', { pattern, kind });
}

/** The rule for uploaded sources, in segments; emphasized ones are marked. */
export function afterWords({
  afterSuccess,
  afterFailure,
}: Pick<WatchRule, 'afterSuccess' | 'afterFailure'>): readonly {
  readonly text: string;
  readonly strong: boolean;
}[] {
  const folders: AfterFolders = {
    success: afterSuccess.kind === 'move' ? afterSuccess.folder : null,
    failure: afterFailure.kind === 'move' ? afterFailure.folder : null,
  };
  // Inserts folders after parsing the marks: a folder's name may contain marks.
  return say(afterKey(folders), { success: 'success', failure: 'failure' })
    .split('**')
    .map((text, index) =>
      index % 2 === 1
        ? { text: folders[text === 'success' ? text : 'failure'] ?? '', strong: true }
        : { text, strong: false },
    )
    .filter(({ text }) => text !== '');
}

/** By message argument; null: sources stay in place. */
type AfterFolders = Readonly<Record<'success' | 'failure', string | null>>;

function afterKey({ success, failure }: AfterFolders): Key {
  if (success === null) return failure === null ? 'watchRule.after.left' : 'watchRule.after.leftOrMoved';
  return failure === null ? 'watchRule.after.moved' : 'watchRule.after.movedOrMoved';
}

/**
 * @param missingAccount name of the rule's account while it is signed out
 * @param nowMs ms since the epoch
 */
export function describeWatch(
  { rule, state, notice, lastTakenAt, counts }: RuleSnapshot,
  missingAccount: string | null,
  nowMs: number,
): WatchStateWords {
  const lastUpload =
    lastTakenAt === null
      ? say('watchRule.state.nothingTaken')
      : say('watchRule.state.lastTaken', { when: formatWhen(lastTakenAt, nowMs) });
  if (state === 'paused') return { word: say('watchRule.state.paused'), tone: 'neutral', detail: lastUpload };
  if (state === 'suspended') return suspendedWords(notice?.code);
  if (missingAccount !== null) {
    return {
      word: say('watchRule.state.waitingForAccount', { account: missingAccount }),
      tone: 'waiting',
      detail: say('watchRule.state.waitingForAccountDetail'),
    };
  }
  if (state === 'standing-by')
    return { word: say('watchRule.state.standingBy'), tone: 'neutral', detail: lastUpload };
  if (state === 'looking')
    return { word: say('watchRule.state.looking'), tone: 'accent', detail: lastUpload };
  const word =
    rule.unit.kind === 'whole-folder' && rule.readyWhen.kind === 'marker'
      ? say('watchRule.state.waitingFor', { file: rule.readyWhen.name })
      : say(counts.failed > 0 ? 'watchRule.state.watchingFailed' : 'watchRule.state.watching');
  return { word, tone: counts.failed > 0 ? 'error' : 'complete', detail: lastUpload };
}

function suspendedWords(code: string | undefined): WatchStateWords {
  const waitingWords = (word: Key, detail: Key): WatchStateWords => ({
    word: say(word),
    tone: 'waiting',
    detail: say(detail),
  });
  switch (code) {
    case undefined:
    case 'watch-folder-missing':
      return waitingWords('watchRule.state.away', 'watchRule.state.awayDetail');
    case 'watch-folder-unreadable':
      return waitingWords('watchRule.state.unreadable', 'watchRule.state.unreadableDetail');
    default:
      return waitingWords('watchRule.state.suspended', 'watchRule.state.suspendedDetail');
  }
}

/** True if the state's text covers the notice. */
export function isSaidByState({ state, notice }: RuleSnapshot): boolean {
  if (notice?.code === 'watch-account-missing') return true;
  return state === 'suspended' && notice?.code === 'watch-folder-missing';
}

/** `1 waiting`, `2 failed`, `214 done`. */
export function countWords({ counts }: Pick<RuleSnapshot, 'counts'>): readonly CountWords[] {
  const countParts: readonly { count: number; words: Key; tone: Tone }[] = [
    { count: counts.settling + counts.waiting, words: 'watch.counts.waiting', tone: 'waiting' },
    { count: counts.underWay, words: 'watch.counts.underWay', tone: 'accent' },
    { count: counts.held, words: 'watch.counts.held', tone: 'waiting' },
    { count: counts.failed, words: 'watch.counts.failed', tone: 'error' },
    { count: counts.complete, words: 'watch.counts.done', tone: 'neutral' },
    { count: counts.leftAlone, words: 'watch.counts.leftAlone', tone: 'neutral' },
  ];
  return countParts
    .filter(({ count }) => count > 0)
    .map(({ count, words, tone }) => ({ text: say(words, { count }), tone }));
}

const kindTones: Readonly<Record<string, Tone>> = {
  POINT_CLOUD: 'tiling',
  RASTER_IMAGERY: 'complete',
  RASTER_TERRAIN: 'waiting',
  TERRAIN_DATABASE: 'waiting',
};

/** Colour of a kind's icon, muted while the rule rests. */
export function watchTone({ rule, state }: RuleSnapshot): Tone {
  return state === 'paused' ? 'neutral' : (kindTones[rule.sourceType] ?? 'accent');
}

/** `4 folders · 1 failed · 3 under way`. Empty without folders. */
export function summarizeWatch(folders: readonly RuleSnapshot[]): string {
  if (folders.length === 0) return '';
  const sum = (key: keyof RuleSnapshot['counts']) =>
    folders.reduce((total, { counts }) => total + counts[key], 0);
  const parts = [say('units.folders', { count: folders.length })];
  if (sum('failed') > 0) parts.push(say('watch.counts.failed', { count: sum('failed') }));
  if (sum('held') > 0) parts.push(say('watch.counts.held', { count: sum('held') }));
  if (sum('underWay') > 0) parts.push(say('watch.counts.underWay', { count: sum('underWay') }));
  const waitingCount = sum('settling') + sum('waiting');
  if (waitingCount > 0) parts.push(say('watch.counts.waiting', { count: waitingCount }));
  return formatFacts(parts.map(unbroken));
}

/** Announces ended and stopped work to screen readers. Empty if there is none. */
export function announceWatch(previous: readonly RuleSnapshot[], current: readonly RuleSnapshot[]): string {
  return current
    .flatMap((view) =>
      changeWords(
        previous.find(({ rule }) => rule.id === view.rule.id),
        view,
      ),
    )
    .join(' ');
}

function changeWords(previous: RuleSnapshot | undefined, current: RuleSnapshot): readonly string[] {
  if (!previous) return [];
  const parts: string[] = [];
  const increase = (key: 'complete' | 'failed' | 'held') => current.counts[key] - previous.counts[key];
  if (increase('complete') > 0) parts.push(say('watch.announce.complete', { count: increase('complete') }));
  if (increase('failed') > 0) parts.push(say('watch.announce.failed', { count: increase('failed') }));
  if (increase('held') > 0) parts.push(say('watch.announce.held', { count: increase('held') }));
  const isOff = ({ state }: RuleSnapshot) => state === 'suspended';
  if (isOff(current) !== isOff(previous)) {
    parts.push(isOff(current) ? suspendedWords(current.notice?.code).word : say('watch.announce.again'));
  }
  if (parts.length === 0) return [];
  return [say('watch.announce.changes', { name: current.rule.name, changes: formatNames(parts) })];
}
