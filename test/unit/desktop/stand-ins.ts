import { makeJob } from '../../../gallery/samples/sample-jobs.ts';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import type { RuleSnapshot } from '../../../main/watch/model/model.ts';
import type { WatchRule } from '../../../main/watch/model/rule.ts';
import { noSources } from '../../../shared/watch.ts';
import { aWatchRule } from '../../a-watch-rule.ts';

/** A job with only the given facts. */
export function job(facts: Partial<JobSnapshot> = {}): JobSnapshot {
  return makeJob({
    ...{ id: 'a', accountId: 'account', status: 'uploading', name: 'Flight', paths: ['/data/flight'] },
    ...{ assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY', createdAt: 0, place: 1, isQueued: false },
    ...facts,
  });
}

const rule = aWatchRule({ folder: '/data/landings' });

/** A watched folder with only the given facts. */
export function watched(
  facts: Partial<Pick<WatchRule, 'id' | 'on'>> &
    Partial<Pick<RuleSnapshot, 'state'>> & { failed?: number } = {},
): RuleSnapshot {
  const {
    id = 'rule',
    on: isOn = true,
    state = isOn ? 'watching' : 'paused',
    failed: failedCount = 0,
  } = facts;
  return {
    rule: { ...rule, id, on: isOn },
    state,
    notice: null,
    question: null,
    isNetworkDrive: false,
    counts: { ...noSources, failed: failedCount },
    lastTakenAt: null,
    waitingSince: null,
    lastLookAt: null,
  };
}
