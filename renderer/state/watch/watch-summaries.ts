/** One line for each group of fields of a watched folder that is closed. */

import { formatFacts, formatNames, say } from '../../say.ts';
import { afterWords } from './watch-card.ts';
import { hasUsualName, mayHaveMarker, nameOfDraft, type WatchDraft } from './watch-draft.ts';

type FoldName = 'ready' | 'name' | 'after' | 'safety' | 'alerts';

/** @param account its name; null if there is only one */
export function summariesOf(draft: WatchDraft, account: string | null): Readonly<Record<FoldName, string>> {
  return {
    ready: readySummary(draft),
    name: formatFacts([nameOfDraft(draft), assetNameSummary(draft), account]),
    after: afterSummary(draft),
    safety: formatFacts([holds[draft.hold](), changes[draft.whenChanged]()]),
    alerts: alertsSummary(draft),
  };
}

const assetNameSummary = (draft: WatchDraft) =>
  hasUsualName(draft) ? say('watchEditor.fold.usualName') : draft.namePattern;

const holds: Readonly<Record<WatchDraft['hold'], () => string>> = {
  never: () => say('watchEditor.fold.holdNever'),
  'will-fail': () => say('watchEditor.fold.holdWillFail'),
  'may-disappoint': () => say('watchEditor.fold.holdMayDisappoint'),
};

const changes: Readonly<Record<WatchDraft['whenChanged'], () => string>> = {
  hold: () => say('watchEditor.fold.changedHold'),
  'new-asset': () => say('watchEditor.fold.changedNewAsset'),
  leave: () => say('watchEditor.fold.changedLeave'),
};

function readySummary({ unit, ready: readyKind, marker, settle: settleSeconds }: WatchDraft): string {
  const seconds = settleSeconds.trim() === '' ? null : `${settleSeconds.trim()}\u00a0s`;
  if (readyKind === 'marker' && mayHaveMarker(unit))
    return formatFacts([say('watchEditor.ready.marker'), marker, seconds]);
  const isChecked = readyKind === 'checksums';
  return formatFacts([say(isChecked ? 'watchEditor.ready.checksums' : 'watchEditor.ready.settled'), seconds]);
}

function afterSummary({ success: afterSuccess, failure: afterFailure, receipt }: WatchDraft): string {
  const place = afterWords({ afterSuccess, afterFailure }).map(({ text }) => text);
  return formatFacts([place.join(''), receipt.kind === 'none' ? null : say('watchEditor.receipt.label')]);
}

function alertsSummary({ alerts }: WatchDraft): string {
  const waitingText = `${say('watchEditor.alerts.waiting')} ${alerts.hours} ${say('watchEditor.alerts.hours')}`;
  const silenceText = `${say('watchEditor.alerts.silent')} ${alerts.days} ${say('watchEditor.alerts.days')}`;
  const set = [
    alerts.failed ? say('watchEditor.alerts.failed') : null,
    alerts.waiting ? waitingText : null,
    alerts.silent ? silenceText : null,
    alerts.signedOut ? say('watchEditor.alerts.signedOut') : null,
  ];
  return formatNames(set.filter((part) => part !== null)) || say('watchEditor.fold.noAlerts');
}
