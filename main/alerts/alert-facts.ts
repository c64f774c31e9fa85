import type { AccountService } from '../account/model/model.ts';
import type { RuleSnapshot, SourceSnapshot, WatchService } from '../watch/model/model.ts';
import type { RuleFacts } from './alert-model.ts';
import type { Heartbeat } from './heartbeat.ts';

type Watch = Pick<WatchService, 'rules' | 'sources'>;
type Accounts = Pick<AccountService, 'accounts'>;

/** A list of this length may be truncated. */
const maxListed = 500;

export function ruleFacts(watch: Watch, accounts: Accounts): readonly RuleFacts[] {
  const signedInIds = new Set(accounts.accounts().map(({ id }) => id));
  return watch.rules().map((snapshot) => {
    const { rule, lastTakenAt } = snapshot;
    const { waitingHours, silentDays } = rule.alerts;
    const isEnabled = waitingHours !== null || silentDays !== null;
    const allSources = isEnabled && isKnown(snapshot) ? watch.sources(rule.id) : null;
    const sources = allSources?.filter(({ state }) => state !== 'left-alone') ?? null;
    return {
      ruleId: rule.id,
      ruleName: rule.name,
      alerts: rule.alerts,
      isOn: rule.on,
      isAway: snapshot.state === 'suspended',
      waitingSources: sources?.filter(({ state }) => !finalStates.has(state)).map(waitOf) ?? null,
      waitingIsWhole: sources !== null && sources.length < maxListed,
      lastTakenAt,
      isSignedIn: signedInIds.has(rule.accountId),
    };
  });
}

const finalStates: ReadonlySet<string> = new Set<SourceSnapshot['state']>(['complete', 'failed', 'skipped']);

const waitOf = ({ path, at: arrivedAt, jobId, state }: SourceSnapshot) => ({
  path,
  arrivedAt,
  isArriving: jobId === null && state !== 'held',
});

function isKnown({ state, lastLookAt }: RuleSnapshot): boolean {
  return lastLookAt !== null && (state === 'watching' || state === 'looking');
}

/** Totals over all watched folders. */
export function heartbeatCounts(watch: Pick<WatchService, 'rules'>): Heartbeat['counts'] {
  const counts = {
    ...{ folders: 0, foldersAway: 0, settling: 0, waiting: 0 },
    ...{ underWay: 0, complete: 0, failed: 0 },
  };
  for (const { state, counts: ofRule } of watch.rules()) {
    counts.folders += 1;
    if (state === 'suspended') counts.foldersAway += 1;
    counts.settling += ofRule.settling;
    counts.waiting += ofRule.waiting;
    counts.underWay += ofRule.underWay;
    counts.complete += ofRule.complete;
    counts.failed += ofRule.failed;
  }
  return counts;
}
